import { coreContract } from '@longreach/core/contract'
import { auditRecorded } from '@longreach/kit/audit-trail'
import { onMany } from '@longreach/kit/events'
import { defineService } from '@longreach/kit/service'
import { appendRecords } from './chain-writer.ts'
import { auditContract } from './contract.ts'
import type { AuditDb } from './database.ts'
import type { AuditDeps } from './deps.ts'
import { entryHandlers } from './entry-handlers.ts'
import { retentionHandlers } from './retention-handlers.ts'
import { startRetentionCleanup } from './retention-job.ts'
import { sealsOf } from './seals.ts'
import { startSeenHead } from './seen-head.ts'
import { verificationHandlers } from './verification-handlers.ts'
import { verifierOf } from './verifier.ts'

/** Service of the audit trail: changes and refused calls in a chain of hashes that shows manipulation. */
export const audit = defineService<AuditDb>()({
  contract: auditContract,
  needs: { core: coreContract },
  migrations: new URL('./migrations/', import.meta.url),
  handlers: (deps: AuditDeps) => ({
    ...entryHandlers(deps),
    ...retentionHandlers(deps),
    ...verificationHandlers(deps),
  }),
  consumers: ({ secrets }) => {
    const seals = sealsOf(secrets)
    return [onMany(auditRecorded, (records, tx) => appendRecords(tx, seals, records))]
  },
  mount: (app, deps) => {
    app.addHook('onClose', () => verifierOf(deps).close())
  },
  start: async ({ db, secrets, site, now, log }) => {
    const seals = sealsOf(secrets)
    const running = [
      startRetentionCleanup({ db, seals, now, log }),
      startSeenHead({ db, seals, dataDir: site.dataDir, log }),
    ]
    return {
      async close() {
        for (const one of running) await one.close()
      },
    }
  },
})
