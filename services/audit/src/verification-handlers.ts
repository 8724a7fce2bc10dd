import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { auditContract } from './contract.ts'
import type { AuditDeps } from './deps.ts'
import { verifierOf } from './verifier.ts'

type VerificationHandlers = Pick<
  Handlers<typeof auditContract>,
  'verification' | 'verify' | 'report'
>

/** Checks of the chain. It runs through the lines of every organization, so only the first root starts and reads one. */
export function verificationHandlers(deps: AuditDeps): VerificationHandlers {
  const verifier = verifierOf(deps)
  const mustBeFirst = async ({ organization }: OrgCtx) => {
    const first = await deps.clients.core.firstRoot({})
    if (organization.resourceId === first.resourceId) return
    throw failure(auditContract, 'not_first_organization', {
      message: 'The chain holds the lines of every organization; check it in the first one',
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
