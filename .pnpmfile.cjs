// Tarballs hold what runs and its types. The condition "@haft/source" is for this repository, where tests run from
// source.
module.exports = { hooks: { beforePacking: (manifest) => withoutSource(manifest) } };

function withoutSource(manifest) {
  for (const target of Object.values(manifest.exports ?? {})) {
    if (typeof target === "object") delete target["@haft/source"];
  }
  return manifest;
}
