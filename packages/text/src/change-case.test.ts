import { describe, expect, it } from "vitest";
import { toCamelCase, toSnakeCase } from "./index.js";

describe("change case", () => {
  it.each([
    ["filePath", "file_path", "filePath"],
    ["file-path", "file_path", "filePath"],
    ["FilePath", "file_path", "filePath"],
    ["file_path", "file_path", "filePath"],
    ["file path", "file_path", "filePath"],
    ["head_limit", "head_limit", "headLimit"],
    ["FILE_PATH", "file_path", "filePath"],
    ["HTTPServer", "http_server", "httpServer"],
    ["parseURL", "parse_url", "parseUrl"],
    ["sha256Hash", "sha256_hash", "sha256Hash"],
    ["-A", "a", "a"],
    ["__proto__", "proto", "proto"],
    ["größeÄndern", "größe_ändern", "größeÄndern"],
    ["x", "x", "x"],
    ["", "", ""],
  ])("%s", (name, snake, camel) => {
    expect(toSnakeCase(name)).toBe(snake);
    expect(toCamelCase(name)).toBe(camel);
    expect(toSnakeCase(snake)).toBe(snake);
    expect(toCamelCase(camel)).toBe(camel);
  });
});
