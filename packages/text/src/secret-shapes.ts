// Published shapes of self-contained credentials: documentation of the services, rules of gitleaks and detect-secrets.
/** A shape: a name for the placeholder, its possible prefixes, and a pattern for the rest. */
export interface SecretShape {
  readonly name: string;
  readonly prefixes: readonly string[];
  /** Source of a regular expression without unbounded repetition. */
  readonly body: string;
}

const A = "[A-Za-z0-9]";
const W = "[\\w-]";
const H = "[0-9a-f]";
const B64 = "[A-Za-z0-9+/]";
const UUID = `${H}{8}-${H}{4}-${H}{4}-${H}{4}-${H}{12}`;
const GUID = `${A}{8}-${A}{4}-${A}{4}-${A}{4}-${A}{12}`;
/** Prevents a match in the middle of a longer word. */
const END = "(?![A-Za-z0-9])";

type Row = readonly [name: string, prefixes: string, body: string];

const CLOUDS: readonly Row[] = [
  ["aws", "AKIA ASIA ABIA ACCA", `[A-Z0-9]{16}${END}`],
  ["aws", "A3T", `[A-Z0-9]{17}${END}`],
  ["aws", "ABSK", `${B64}{109,269}={0,2}`],
  ["aws", "bedrock-api-key-", `${B64}{20,4096}={0,2}`],
  ["aws", "amzn.mws.", UUID],
  ["google", "AIza", `${W}{35}(?!${W})`],
  ["google", "GOCSPX-", `${W}{28}(?!${W})`],
  ["google", "ya29.", `${W}{20,2048}`],
  ["google", "1//0", `${W}{40,128}`],
  ["azure", "AccountKey= SharedAccessKey=", `${B64}{42,86}==?`],
  ["azure", "sig=", `(?:${A}|%2[BbFf]|[+/]){42,86}(?:%3[Dd]|=)`],
  ["alibaba", "LTAI", `${A}{20}${END}`],
  ["tencent", "AKID", `${A}{32}${END}`],
  ["yandex", "AQVN", `${W}{35,38}(?!${W})`],
  ["yandex", "t1.", `${W}{20,600}={0,2}\\.${W}{86}={0,2}`],
  ["digitalocean", "dop_v1_ doo_v1_ dor_v1_", `${H}{64}`],
  ["heroku", "HRKU-AA", `${W}{58}`],
  ["fly", "fo1_", `${W}{43}`],
  ["fly", "fm1a_ fm1r_ fm2_", `${B64}{100,2048}={0,3}`],
  ["cloudflare", "v1.0-", `${H}{24}-${H}{146}`],
  ["cloudflare", "cfk_ cfut_ cfat_", `${A}{40,48}${END}`],
  ["vercel", "vcp_ vci_ vca_ vcr_ vck_", `${A}{24,80}${END}`],
  ["defined", "dnkey-", "[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}"],
  ["openshift", "sha256~", `${W}{43}(?!${W})`],
  ["planetscale", "pscale_tkn_ pscale_oauth_ pscale_pw_", "[\\w=.-]{32,64}"],
  ["supabase", "sbp_", `${H}{40}${END}`],
  ["supabase", "sb_secret_", `${W}{20,64}`],
  ["netlify", "nfp_", `${A}{36}${END}`],
  ["neon", "napi_", `[a-z0-9]{60,70}${END}`],
  ["tailscale", "tskey-", "(?:auth|api|client|scim|webhook)-[\\w-]{20,100}"],
  ["scalingo", "tk-us-", `${W}{48}`],
  ["clickhouse", "4b1d", `${A}{38}${END}`],
];

const CODE: readonly Row[] = [
  ["github", "ghp_ gho_ ghu_ ghs_ ghr_", `${A}{36,255}`],
  ["github", "github_pat_", "\\w{36,255}"],
  [
    "gitlab",
    "glpat- gldt- glft- glsoat- glrt- glrtr- glwt- glffct- gloas- glagent- glimt- glptt-",
    "[\\w.-]{20,320}",
  ],
  ["gitlab", "glcbt-", `(?:${A}{1,5}_)?${W}{20,320}`],
  ["gitlab", "GR1348941", `${W}{20,50}`],
  ["gitlab", "_gitlab_session=", "[0-9a-z]{32}"],
  ["atlassian", "ATATT3 ATCTT3", "[\\w=-]{100,400}"],
  ["bitbucket", "ATBB", `${A}{32}${END}`],
  ["npm", "npm_", `${A}{36}${END}`],
  ["npm", "_authToken=", "[0-9a-fA-F-]{36}"],
  ["pypi", "pypi-", "AgE[\\w-]{50,1000}"],
  ["rubygems", "rubygems_", `${H}{48}`],
  ["nuget", "oy2", `[a-z0-9]{43}${END}`],
  ["clojars", "CLOJARS_", "[a-zA-Z0-9]{60}"],
  ["docker", "dckr_pat_ dckr_oat_", `${W}{24,64}`],
  ["artifactory", "AKCp", `${A}{69}${END}`],
  ["artifactory", "AKC", `(?=[A-Za-z]{0,60}\\d)${A}{10,100}${END}`],
  ["artifactory", "cmVmd", `${A}{59}${END}`],
  ["circleci", "CCIPAT_ CCIPRJ_", "[\\w-]{40,100}"],
  ["buildkite", "bkua_", `${H}{40}`],
  ["sonar", "sqp_ squ_ sqa_", `${H}{40}${END}`],
  ["sourcegraph", "sgp_", `(?:(?:${H}{16}|local)_)?[0-9a-fA-F]{40}${END}`],
  ["octopus", "API-", `[A-Z0-9]{26,36}${END}`],
  ["pulumi", "pul-", `${H}{40}${END}`],
  ["infracost", "ico-", `${A}{32}${END}`],
  ["prefect", "pnu_ pnb_", `${A}{36}${END}`],
  ["harness", "pat. sat.", `${W}{22}\\.${A}{24}\\.${A}{20}${END}`],
  ["vault", "hvs. hvb. hvr.", `${W}{24,300}`],
  ["vault", "s.", `(?=[A-Za-z]{0,22}\\d[A-Za-z]{0,22}\\d)${A}{24}${END}`],
  ["doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[\\w.-]{40,80}"],
  ["1password", "ops_eyJ", `${B64}{100,2048}={0,3}`],
  [
    "1password",
    "A3-",
    `[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}${END}`,
  ],
  ["age", "AGE-SECRET-KEY-1", "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"],
  ["readme", "rdme_", `[a-z0-9]{70}${END}`],
];

const MODELS: readonly Row[] = [
  ["anthropic", "sk-ant-", `${W}{20,255}`],
  ["openrouter", "sk-or-v1-", `${H}{64}`],
  ["langfuse", "sk-lf-", UUID],
  ["openai", "sk-", `(?:(?:proj|svcacct|admin)-${W}{20,255}|${A}{32,255}(?!${W}))`],
  ["huggingface", "hf_ api_org_", `${A}{34}${END}`],
  ["perplexity", "pplx-", `${A}{48}${END}`],
  ["groq", "gsk_", `${A}{52}${END}`],
  ["xai", "xai-", `${A}{70,90}${END}`],
  ["replicate", "r8_", `${A}{37,40}${END}`],
  ["nvidia", "nvapi-", `${W}{60,80}`],
  ["langsmith", "lsv2_pt_ lsv2_sk_", `${H}{32}_${H}{10}`],
  ["pinecone", "pcsk_", "\\w{50,90}"],
  ["tavily", "tvly-", `${W}{32,64}`],
  ["elevenlabs", "sk_", `${H}{48}${END}`],
  ["databricks", "dapi", `${H}{32}(?:-\\d)?${END}`],
];

const MESSAGES: readonly Row[] = [
  ["slack", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-", "[A-Za-z0-9-]{10,255}"],
  ["slack", "xoxe.xoxb- xoxe.xoxp-", "\\d-[A-Za-z0-9]{100,255}"],
  ["slack", "xapp-", "\\d-[A-Za-z0-9]{3,20}-\\d{3,20}-[A-Za-z0-9]{3,128}"],
  ["slack", "hooks.slack.com/", "(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,80}"],
  ["discord", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", `\\d{17,20}/${W}{60,80}`],
  ["teams", ".webhook.office.com/webhookb2/", `${GUID}@${GUID}/IncomingWebhook/${A}{32}/${GUID}`],
  ["twilio", "SK AC", `[0-9a-fA-F]{32}${END}`],
  ["sendgrid", "SG.", "[\\w=.-]{60,80}"],
  ["brevo", "xkeysib- xsmtpsib-", `${H}{64}-${A}{16}`],
  ["mailgun", "key- pubkey-", `${H}{32}${END}`],
  ["mailersend", "mlsn.", `${H}{64}`],
  ["resend", "re_", `${A}{8}_${A}{24}${END}`],
  ["postman", "PMAK-", `${H}{24}-${H}{34}`],
  ["typeform", "tfp_", "[\\w.=-]{59}"],
  ["facebook", "EAAM EAAC EAAB EAAG", `${A}{100,400}`],
  ["hubspot", "pat-na1- pat-na2- pat-eu1-", UUID],
];

const PAYMENTS: readonly Row[] = [
  ["stripe", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", `${A}{10,255}`],
  ["stripe", "whsec_", `${B64}{32,64}={0,2}`],
  ["square", "sq0atp- sq0csp- sq0idp-", `${W}{22,60}`],
  ["square", "EAAA", `${W}{22,60}(?!${W})`],
  ["shopify", "shpat_ shpca_ shppa_ shpss_ shptka_ shpua_", `[0-9a-fA-F]{32}`],
  ["paypal", "access_token$", `(?:production|sandbox)\\$[0-9a-z]{16}\\$${H}{32}`],
  ["plaid", "access-sandbox- access-development- access-production-", UUID],
  ["razorpay", "rzp_live_ rzp_test_", `${A}{14,24}`],
  ["flutterwave", "FLWSECK_TEST- FLWSECK- FLWPUBK_TEST-", `[0-9a-hA-H]{12,32}(?:-X)?`],
  ["easypost", "EZAK EZTK", `${A}{54}${END}`],
  ["shippo", "shippo_live_ shippo_test_", "[0-9a-fA-F]{40}"],
  ["duffel", "duffel_live_ duffel_test_", "[\\w=-]{43}"],
  ["lob", "live_ test_", `(?:pub_)?${H}{31,35}${END}`],
  ["gocardless", "live_", `${W}{40}(?!${W})`],
];

const SERVICES: readonly Row[] = [
  ["grafana", "glsa_", `${A}{32}_[0-9A-Fa-f]{8}`],
  ["grafana", "glc_", `${B64}{32,400}={0,3}`],
  ["grafana", "eyJrIjoi", `${A}{70,400}={0,3}`],
  ["linear", "lin_api_ lin_oauth_", `${A}{40,64}`],
  ["notion", "ntn_", `${A}{46}${END}`],
  ["notion", "secret_", `${A}{43}${END}`],
  ["airtable", "pat", `${A}{14}\\.${H}{64}`],
  ["contentful", "CFPAT-", `${W}{43}`],
  ["figma", "figd_ figo_", `${W}{40,60}`],
  ["dropbox", "sl.", `[\\w=-]{130,1500}`],
  ["newrelic", "NRAK- NRAA-", `[A-Z0-9]{27}${END}`],
  ["newrelic", "NRII- NRIQ- NRJS- NRRA-", `[\\w-]{19,42}`],
  ["sentry", "sntrys_", `${B64}{20,500}={0,2}_${B64}{43}`],
  ["sentry", "sntryu_", `${H}{64}`],
  ["dynatrace", "dt0c01. dt0s01. dt0s08. dt0s16.", `${A}{8,24}\\.${A}{64}`],
  ["honeycomb", "hcaik_ hcbik_ hcxik_", `[a-z0-9]{58}`],
  ["launchdarkly", "sdk- mob- api-", UUID],
  ["posthog", "phx_", `${A}{40,60}`],
  ["adobe", "p8e-", `${A}{32}${END}`],
  ["mapbox", "sk.eyJ", `${W}{30,200}\\.${W}{22}`],
  ["frameio", "fio-u-", "[\\w=-]{64}"],
  ["intra42", "s-s4t2ud- s-s4t2af-", `${H}{64}`],
  ["settlemint", "sm_aat_ sm_pat_ sm_sat_", `${A}{16}`],
  ["adafruit", "aio_", `${A}{28}${END}`],
  ["zuplo", "zpka_", "\\w{32,64}"],
  [
    "authress",
    "authress_ scauth_ ext_ sc_",
    "[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[\\w+/=-]{30,120}",
  ],
  ["yandex", "YCA YCM YCN YCO YCP", `(?=${W}{0,20}\\d)${W}{37}(?!${W})`],
  ["jwt", "eyJ", `${W}{8,2048}\\.eyJ${W}{8,4096}\\.(?:${W}{8,1024})?`],
  ["jwt", "ey", `${A}{17,2048}\\.ey[\\w/-]{17,4096}\\.(?:[\\w/-]{10,1024}={0,2})?`],
  ["jwt", "ZXlK", "[\\w+/-]{40,4096}={0,2}"],
];

export const SECRET_SHAPES: readonly SecretShape[] = [
  ...CLOUDS,
  ...CODE,
  ...MODELS,
  ...MESSAGES,
  ...PAYMENTS,
  ...SERVICES,
].map(([name, prefixes, body]) => ({ name, prefixes: prefixes.split(" "), body }));
