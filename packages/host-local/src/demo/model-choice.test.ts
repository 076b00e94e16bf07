import { expect, test } from "vitest";
import { chooseModel } from "./model-choice.ts";

const all = {
  ARCHMAX_API_BASE_URL: "https://models.example/v1",
  ARCHMAX_API_KEY: "key",
  ARCHMAX_MODEL: "m-1",
};

test("without configuration the scripted model is used", () => {
  expect(chooseModel({})).toEqual({ kind: "scripted" });
  expect(chooseModel({ ARCHMAX_API_KEY: "  " })).toEqual({ kind: "scripted" });
});

test("with all three variables the configured endpoint is used", () => {
  expect(chooseModel(all)).toEqual({ kind: "configured", baseUrl: all.ARCHMAX_API_BASE_URL, model: "m-1" });
});

test("half a configuration is refused, naming what is missing", () => {
  expect(() => chooseModel({ ...all, ARCHMAX_MODEL: "" })).toThrow(/ARCHMAX_MODEL is not/);
  expect(() => chooseModel({ ARCHMAX_MODEL: "m" })).toThrow(
    /ARCHMAX_API_BASE_URL and ARCHMAX_API_KEY are not/,
  );
});
