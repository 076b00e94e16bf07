/** The tests that need AWS's runtime client: `npm run test:aws` installs it and runs them. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

export default defineConfig({
  ...base,
  test: { ...base.test, include: ["test/aws/**/*.test.ts"], exclude: ["**/node_modules/**"] },
});
