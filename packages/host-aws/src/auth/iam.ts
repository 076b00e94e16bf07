import { type Authenticator, TENANT_PATTERN } from "@archmax-ai/host";
import * as z from "zod";
import type { AuthConfig } from "./configuration.ts";

/**
 * What a function URL with `AWS_IAM` says of the caller it let in, as Hono's adapter for Lambda binds it. Lambda
 * itself writes it; nothing of the request's own ends up there.
 */
const bindingsSchema = z.object({
  requestContext: z.object({
    authorizer: z.object({ iam: z.object({ userArn: z.string().min(1) }) }),
  }),
});

/**
 * Knows callers by the signature that Lambda has checked: the subject is the caller's ARN, the tenant stands in a
 * request header. Lambda does not look at that header, so a deployer must see to it that each caller signs his own
 * tenant alone: the header is to be among the signed ones, and set by a proxy or an SDK the caller does not control.
 */
export function createIamAuthenticator({
  tenantHeader,
  scopes,
}: Extract<AuthConfig, { kind: "iam" }>): Authenticator {
  return {
    async authenticate(request, bindings) {
      const caller = bindingsSchema.safeParse(bindings);
      const tenant = request.headers.get(tenantHeader);
      if (!caller.success || tenant === null || !TENANT_PATTERN.test(tenant)) return null;
      return { tenant, subject: caller.data.requestContext.authorizer.iam.userArn, scopes };
    },
  };
}
