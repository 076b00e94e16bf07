import { expect, test } from "vitest";
import { DOCUMENT_MEDIA_TYPES, documentFormatOf } from "./media-type.ts";

test("the registered name of YAML, its aliases and JSON are taken", () => {
  expect(DOCUMENT_MEDIA_TYPES.map((type) => [type, documentFormatOf(type)])).toEqual([
    ["application/yaml", "yaml"],
    ["text/yaml", "yaml"],
    ["application/x-yaml", "yaml"],
    ["text/x-yaml", "yaml"],
    ["application/json", "json"],
  ]);
});

test.each([
  "Application/YAML",
  " text/yaml ; charset=UTF-8",
  'text/yaml;charset="utf-8"',
  "text/yaml; charset = utf8",
  "text/yaml; charset=us-ascii",
  "text/yaml; version=1.2",
])("%j is YAML", (type) => {
  expect(documentFormatOf(type)).toBe("yaml");
});

test.each([
  null,
  "",
  ";",
  "yaml",
  "text/plain",
  "application/json5",
  "text/yaml; charset=latin1",
  "text/yaml; charset=utf-8; charset=utf-16",
  "text/yaml, text/plain",
])("%j is neither", (type) => {
  expect(documentFormatOf(type)).toBeUndefined();
});
