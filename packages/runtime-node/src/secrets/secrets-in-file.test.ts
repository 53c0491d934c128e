import { describe, expect, it } from "vitest";
import { secretsIn } from "./secrets-in-file.js";

describe("secretsIn", () => {
  it.each([
    ["API_KEY=abc-123", ["abc-123"]],
    ["export DB_PASSWORD='p w 12'", ["p w 12"]],
    ["//registry.npmjs.org/:_authToken=npm-tok-1", ["npm-tok-1"]],
    ["DATABASE_URL=postgres://u:hunter2@h/db", ["hunter2"]],
    ["machine h login me password s3cret!", ["s3cret!"]],
    ["host:5432:db:me:pa55word", ["pa55word"]],
    ['  "client_secret": "Zm9vYmFy1",', ["Zm9vYmFy1"]],
    ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"]],
    ["SESSION=aB3dE5gH7jK9mN1p # rotate", ["aB3dE5gH7jK9mN1p"]],
    ["JWT_SECRET=correct-horse-battery", ["correct-horse-battery"]],
    ["NEXTAUTH_SECRET=s3cr3t-1", ["s3cr3t-1"]],
    ["PGPASSWORD=hunter-2", ["hunter-2"]],
    ["DBPASS=hunter-2", ["hunter-2"]],
    ["GH_PAT=pat-12345", ["pat-12345"]],
    ["MYSQL_PWD=Pa55-w", ["Pa55-w"]],
    ["apiKey: abc-123", ["abc-123"]],
    ["ADMIN_PASSWORD=83749274", ["83749274"]],
    ["STRIPE_KEYS=abc-123", ["abc-123"]],
    ["REDIS_AUTH=abc-123", ["abc-123"]],
    ["TOKEN2=abc-123", ["abc-123"]],
    ["SECRET_KEY_BASE=abc-123-def", ["abc-123-def"]],
    ["AUTH_HOST=0f8d1e4b7c2a49d6b3e5f70819a2c4d6", ["0f8d1e4b7c2a49d6b3e5f70819a2c4d6"]],
    ["AUTH_URL=https://u:hunter2@example.com/login", ["hunter2"]],
    [
      "WEBHOOK=https://hooks.slack.com/services/T000/B000/aB3dE5gH7jK9mN1pQ2rS4tU6",
      ["aB3dE5gH7jK9mN1pQ2rS4tU6"],
    ],
  ])("finds the secret in %s", (line, expected) => {
    expect(secretsIn(`# words\n${line}\n`)).toEqual(expected);
  });

  it.each([
    "NODE_ENV=production",
    "HOST=localhost",
    "AUTH_MODE=optional",
    "PORT=3000",
    "# a comment about a token here",
    "registry=https://registry.npmjs.org/",
    "-----BEGIN RSA PRIVATE KEY-----",
    "KEY=",
    "LOG=debug",
    "key = true",
    "NEXTAUTH_URL=http://localhost:3000",
    "AUTH_URL=https://example.com/login",
    "AUTH_SECRET=https://example.com/login",
    "TOKEN_TTL_MS=3600000",
    "TOKEN_BUDGET=3600000",
    "AUTHOR=Jane Smith",
    "AUTHORS=Jane Smith and others",
    "API_KEY_HEADER=X-API-Key",
    "PASS_RATE=0.9500",
    "TOKEN_TYPE=Bearer",
    "HOST_KEY_ALGORITHMS=ssh-ed25519",
    "KEYCLOAK_REALM=my-company-realm",
    "KEYBOARD_LAYOUT=de-nodeadkeys",
    "BYPASS=Everything",
    "SSL_KEY_PATH=/etc/ssl/private/server.key",
    "VERSION=2024.11.17-Release1",
    "IMAGE=registry.example.com/team/MyService-2024",
    "https://example.com/login",
  ])("ignores ordinary values: %s", (line) => {
    expect(secretsIn(line)).toEqual([]);
  });
});
