import type { Handlers } from '@longreach/kit/service'
import type { auditContract } from './contract.ts'
import type { AuditDeps } from './deps.ts'
import { verifierOf } from './verifier.ts'

type VerificationHandlers = Pick<
  Handlers<typeof auditContract>,
  'verification' | 'verify' | 'report'
>

export function verificationHandlers(deps: AuditDeps): VerificationHandlers {
  const verifier = verifierOf(deps)
  return {
    verification: () => verifier.state(),
    verify: async () => {
      await verifier.begin()
      return verifier.state()
    },
    report: () => verifier.check(),
  }
}
