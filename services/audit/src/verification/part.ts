import { definePart } from '@longreach/kit/part'
import { chain } from '../chain/part.ts'
import type { AuditDeps } from '../deps.ts'
import { verificationContract } from './contract.ts'
import { startSeenHead } from './seen-head.ts'
import { verificationHandlers } from './verification-handlers.ts'
import { createVerifier } from './verifier.ts'

export const verification = definePart<AuditDeps>()({
  name: 'verification',
  contract: verificationContract,
  uses: [chain],
  state: ({ used, ...deps }) => createVerifier(deps, used.chain.seals),
  handlers: (deps) => verificationHandlers(deps, deps.state),
  start: ({
    db,
    site,
    log,
    used: {
      chain: { seals },
    },
  }) => startSeenHead({ db, seals, dataDir: site.dataDir, log }),
})
