import {
  type ApiKeys,
  type Authenticator,
  type Clock,
  createApiKeyAuthenticator,
  systemClock,
} from "@archmax-ai/host";
import type { AuthConfig } from "./configuration.ts";
import { AuthenticationRefusedError } from "./errors.ts";
import { createIamAuthenticator } from "./iam.ts";
import { createJwtAuthenticator } from "./jwt.ts";

/** What an authenticator is made with. */
export interface AuthenticatorPorts {
  /** The stage's name; one named production takes no `none`. */
  readonly stage: string;
  /** Where API keys are looked up, for the kind `apiKey`. */
  readonly apiKeys: ApiKeys;
  readonly clock?: Pick<Clock, "now">;
}

const PRODUCTION = /^prod(?:uction)?$/i;

/**
 * Makes a stage's authenticator.
 *
 * @throws AuthenticationRefusedError for `none` where the stage is named `production` or `prod`, in any case
 */
export function createAuthenticator(config: AuthConfig, ports: AuthenticatorPorts): Authenticator {
  const { stage, apiKeys, clock = systemClock } = ports;
  switch (config.kind) {
    case "apiKey":
      return createApiKeyAuthenticator(apiKeys, clock);
    case "jwt":
      return createJwtAuthenticator(config, clock);
    case "iam":
      return createIamAuthenticator(config);
    case "none": {
      if (PRODUCTION.test(stage.trim())) throw new AuthenticationRefusedError(stage);
      const { tenant, scopes } = config;
      return { authenticate: async () => ({ tenant, subject: "anybody", scopes }) };
    }
  }
}
