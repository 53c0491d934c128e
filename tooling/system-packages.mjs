// Installs the programs that the tests use besides Node, or names those that it cannot install.
// Tests that need a missing program say so and are skipped; nothing here is needed to use Haft.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NEEDED = [
  { program: "rg", package: "ripgrep", purpose: "the search tests compare answers with it" },
  { program: "bwrap", package: "bubblewrap", purpose: "code runs in its sandbox" },
  { program: "git", package: "git", purpose: "ignore rules are compared with it" },
  { program: "sshd", package: "openssh-server", purpose: "remote workspaces are tested over it" },
  { program: "chromium", package: "chromium", purpose: "the console's tests drive it" },
  {
    program: "pg_ctlcluster",
    package: "postgresql",
    purpose: "the shared store is tested with a real server",
  },
  { program: "pgbouncer", package: "pgbouncer", purpose: "the shared store is tested behind it" },
  { program: "zsh", package: "zsh", purpose: "its completions are tried in it" },
  { program: "fish", package: "fish", purpose: "its completions are tried in it" },
];

const missing = NEEDED.filter(({ program }) => !isInstalled(program));
if (missing.length > 0 && !installWithApt(missing.map((need) => need.package))) {
  for (const need of missing.filter(({ program }) => !isInstalled(program))) {
    console.error(`missing: ${need.program} (package ${need.package}): ${need.purpose}`);
  }
}

function isInstalled(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function installWithApt(packages) {
  if (process.getuid?.() !== 0 || !isInstalled("apt-get")) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    console.error(`installing ${packages.join(", ")}`);
    execFileSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], {
      env,
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
