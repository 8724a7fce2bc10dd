import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { auditContract } from '../contract.ts'
import type { verificationContract } from './contract.ts'
import type { AuditDeps } from '../deps.ts'
import type { Verifier } from './verifier.ts'

/** Checks of the chain. It runs through the lines of every organization, so only the first root starts and reads one. */
export function verificationHandlers(
  { clients }: AuditDeps,
  verifier: Verifier,
): Handlers<typeof verificationContract> {
  const mustBeFirst = async ({ organization }: OrgCtx) => {
    const { first } = await clients.core.roots({})
    if (organization.resourceId === first) return
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
