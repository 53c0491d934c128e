import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { createShapeRedactor, redactShapes } from "./index.js";

// Generated from their shapes, so that no scanner mistakes this file for a leak. {A36}: letters and digits, {W}: with
// `_` and `-`, {H}: lower-case hexadecimal, {U}: capitals and digits, {L}: lower case, {D}: digits, {G}: a GUID.
const PUBLISHED = `
AKIA{U16} ASIA{U16} ABIA{U16} ACCA{U16} A3TX{U16} ABSK{A120} bedrock-api-key-{A60} amzn.mws.{G}
AIza{W35} GOCSPX-{W28} ya29.{W60} 1//0{W60} AccountKey={A86}== abc8Q~{A34} {A76}AZDO{A4}
LTAI{A20} AKID{A32} AQVN{W36} dop_v1_{H64} doo_v1_{H64} dor_v1_{H64} HRKU-AA{W58} fo1_{W43} fm2_{A120} fm1a_{A120}
v1.0-{H24}-{H146} sha256~{W43} pscale_tkn_{W43} pscale_oauth_{W43} pscale_pw_{W43} sbp_{H40} nfp_{A36}
tskey-auth-{A17}-{A32} tk-us-{W48} 4b1d{A38} cfk_{A48} cfut_{A48} cfat_{A48} vcp_{A56} vck_{A56} dnkey-{L26}-{L52} dnkey-{U26}-{U52}
ghp_{A36} gho_{A36} ghu_{A36} ghs_{A36} ghr_{A36} github_pat_{A22}_{A59}
glpat-{W20} gldt-{W20} glft-{W20} glsoat-{W20} glrt-{W20} glcbt-{A4}_{W20} glffct-{W20} gloas-{W64} glagent-{W50}
glimt-{W25} glptt-{H40} GR1348941{W20} _gitlab_session={L32}
ATATT3{W180} ATBB{A32} npm_{A36} _authToken={G} pypi-AgEIcHlwaS5vcmc{W80} rubygems_{H48} oy2{L43} CLOJARS_{L60}
dckr_pat_{W27} AKCp{A69} cmVmd{A59} CCIPAT_{A22}_{H40} bkua_{H40} sqp_{H40} squ_{H40} sgp_{H40} sgp_local_{H40}
API-{U26} pul-{H40} ico-{A32} pnu_{A36} pat.{W22}.{A24}.{A20} sat.{W22}.{A24}.{A20}
hvs.{W95} hvb.{W140} {L14}.atlasv1.{W65} dp.pt.{A43} dp.st.dev.{A43} ops_eyJ{A260} A3-{U6}-{U11}-{U5}-{U5}-{U5}
AGE-SECRET-KEY-1{Q58} rdme_{L70} {A6}_{A29}_mmk
sk-ant-api03-{W93}AA sk-ant-admin01-{W93}AA sk-proj-{W74} sk-svcacct-{W74} sk-admin-{W74} sk-{A20}T3BlbkFJ{A20}
sk-or-v1-{H64} hf_{a34} api_org_{a34} pplx-{A48} gsk_{A52} r8_{A37} nvapi-{W64} dapi{H32} dapi{H32}-2
xoxb-{D12}-{D12}-{A24} xoxp-{D12}-{D12}-{D12}-{H32} xoxa-2-{A40} xoxr-{A40} xoxs-{D9}-{D9}-{D9}-{H10} xoxe-1-{U146}
xoxe.xoxp-1-{U163} xapp-1-{U11}-{D13}-{H64} hooks.slack.com/services/T{U9}/B{U9}/{A24}
discord.com/api/webhooks/{D18}/{W68} M{A22}1.{A6}.{W26}1 {D9}:AA{W33}
SK{H32} AC{H32} SG.{W22}.{W43} xkeysib-{H64}-{A16} key-{H32} {H32}-us12 mlsn.{H64} PMAK-{H24}-{H34} tfp_{W59}
EAAC{A120} {D15}|{W27} pat-na1-{G}
sk_live_{A24} sk_test_{A24} rk_live_{A24} rk_test_{A24} sk_prod_{A24} whsec_{A32} sq0atp-{W22} sq0csp-{W43} EAAA{W60}
shpat_{H32} shpca_{H32} shppa_{H32} shpss_{H32} access_token$production$\${L16}$\${H32} access-sandbox-{G} rzp_live_{A14}
FLWSECK_TEST-{h32}-X FLWSECK_TEST-{h12} EZAK{A54} EZTK{A54} shippo_live_{H40} shippo_test_{H40} duffel_live_{W43} live_{H35}
glsa_{A32}_{H8} glc_{A60} eyJrIjoi{A80} lin_api_{A40} ntn_{D11}{A35} secret_{A43} pat{A14}.{H64} CFPAT-{W43} figd_{W43}
sl.{W140} NRAK-{U27} NRII-{W32} NRJS-{H19} sntrys_eyJpYXQiO{A60}_{A43} sntryu_{H64} dt0c01.{U24}.{U64} sdk-{G} phx_{A43}
p8e-{A32} fio-u-{W64} s-s4t2ud-{H64} sm_aat_{A16} sm_pat_{A16} sm_sat_{A16} aio_{A28} 1/{D16}:{H32}
eyJ{A30}.eyJ{A60}.{W43} ZXlKaGJHY2lPaU{A60} s.{A22}12 scauth_{A8}.{A5}.acc_{L12}.{A40}
`
  .trim()
  .split(/\s+/)
  .map((template) => template.replace("$$", "$").replace("$$", "$"));

const ALPHABETS: Readonly<Record<string, string>> = {
  A: "a0Zb1Yc2Xd3We4Vf5Ug6Th7Si8Rj9QkPlOmNnMoLpKqJrIsHtGuFvEwDxCyBzA",
  W: "a0Zb1Y_c2Xd3We4V-f5Ug6Th7Si8Rj9QkPlOmNnMoLpKqJrIsHtGuFvEwDxCyBzA",
  a: "aZbYcXdWeVfUgThSiRjQkPlOmNnMoLpKqJrIsHtGuFvEwDxCyBzA",
  H: "0a1b2c3d4e5f6789",
  h: "0a1b2c3d4e5f6789",
  U: "A0B1C2D3E4F5G6H7I7J6K5L4M3N2O2P3Q4R5S6T7U7V6W5X4Y3Z2",
  L: "a0b1c2d3e4f5g6h7i8j9klmnopqrstuvwxyz",
  D: "1234567890",
  Q: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
};

function sampleOf(template: string): string {
  return template
    .replaceAll("{G}", "{H8}-{H4}-{H4}-{H4}-{H12}")
    .replace(/\{(\w)(\d+)\}/g, (_, key: string, length: string) => {
      const alphabet = ALPHABETS[key] ?? "";
      const from = (Number(length) * 7) % alphabet.length;
      return (alphabet.slice(from) + alphabet.repeat(20)).slice(0, Number(length)).replace(/-$/, "x");
    });
}

const CONTEXTS: readonly ((secret: string) => readonly [before: string, text: string, after: string])[] = [
  (secret) => ["", secret, ""],
  (secret) => ["export TOKEN=", secret, "\n"],
  (secret) => ['{"token":"', secret, '","x":1}'],
  (secret) => ["Authorization: Bearer ", secret, "\r\n"],
  (secret) => ["line one\\n", secret, "\\n"],
  (secret) => ["\x1b[31m", secret, "\x1b[0m"],
];

describe("FA10 published credential shapes", () => {
  it("contains the well-known ones", () => {
    expect(PUBLISHED.length).toBeGreaterThanOrEqual(118);
  });

  it.each(PUBLISHED)("redacts %s", (template) => {
    const secret = sampleOf(template);
    for (const context of CONTEXTS) {
      const [before, text, after] = context(secret);
      const redacted = redactShapes(before + text + after);
      expect(redacted.startsWith(before) && redacted.endsWith(after), redacted).toBe(true);
      const rest = redacted.slice(before.length, redacted.length - after.length);
      expect(rest.replace(/^https?:\/\//, "")).toMatch(/^\[secret:[a-z0-9-]+\]$/);
    }
  });

  it("redacts a private key with headers, and a PGP key", () => {
    const encrypted =
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nabc\n-----END RSA PRIVATE KEY-----";
    expect(redactShapes(`a\n${encrypted}\nb`)).toBe("a\n[secret:private-key]\nb");
    const armoured = "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nabc\n-----END PGP PRIVATE KEY BLOCK-----";
    expect(redactShapes(armoured)).toBe("[secret:private-key]");
  });

  it.each([
    "9f".repeat(20),
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "task-force-of-many-words-and-more-words-than-that",
    "this.somethingThatIsLongEnough1 = s.length",
    "import { akin } from './SKYLINE_ACCOUNTS'",
    "live_reload_and_test_suite_of_the_whole_application",
    "const re_export = api_org_chart.npm_config_registry",
    `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAKIA".repeat(40)}`,
    "550e8400-e29b-41d4-a716-446655440000",
    "key-value-pairs and pat.test.ts",
  ])("leaves %j alone", (text) => {
    expect(redactShapes(text)).toBe(text);
  });

  it("accepts shapes provided by the host", () => {
    const redact = createShapeRedactor([{ name: "acme", prefixes: ["acme_"], body: "[a-z]{8}" }]);
    expect(redact("x acme_abcdefgh y")).toBe("x [secret:acme] y");
    expect(redact(`ghp_${"a1".repeat(18)}`)).toBe("[secret:github]");
  });

  it("is linear in a text made of prefixes", () => {
    const beginnings = PUBLISHED.map((template) => template.replace(/\{.*/, "")).filter(
      (each) => each !== "",
    );
    for (const piece of new Set([
      ...beginnings.flatMap((each) => [each, `${each} `, `${each}-`]),
      "0",
      "M",
      ".",
    ])) {
      const usedMs = measureProcessorTime();
      redactShapes(piece.repeat(Math.ceil(200_000 / piece.length)));
      expect(usedMs(), piece).toBeLessThan(2_000);
    }
  });
});
