import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { auditContract } from './contract.ts'
import type { AuditDeps } from './deps.ts'
import { verifierOf } from './verifier.ts'

type VerificationHandlers = Pick<
  Handlers<typeof auditContract>,
  'verification' | 'verify' | 'report'
>

/**
 * Handlers of the verification. It reads entries of every organization, so only the first root
 * organization may start one and see its result.
 */
export function verificationHandlers(deps: AuditDeps): VerificationHandlers {
  const verifier = verifierOf(deps)
  const mustBeFirst = async ({ organization }: OrgCtx) => {
    const first = await deps.clients.core.firstRoot({})
    if (organization.resourceId === first.resourceId) return
    throw failure(auditContract, 'not_first_organization', {
      message:
        'The chain has the entries of every organization. Verify it in the first organization.',
    })
  }
  return {
    verification: async (_, ctx) => {
      await mustBeFirst(ctx)
      return verifier.state()
    },
    verify: async (_, ctx) => {
      await mustBeFirst(ctx)
      await verifier.begin()
      return verifier.state()
    },
    report: () => verifier.check(),
  }
}
