import { can } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import { startRounds } from '@longreach/kit/rounds'
import type { OrgCtx, Running } from '@longreach/kit/service'
import type { CoreDeps } from '../deps.ts'
import type { ImportPerson } from './import-rules.ts'
import {
  finishImport,
  finishLine,
  deleteImportsBefore,
  type Outcome,
  takeImport,
  waitingLines,
} from './import-store.ts'
import { joinOrInvite } from '../invitations/inviting.ts'
import { CreateUser } from './user-contract.ts'
import { addToOrganization } from './user-making.ts'
import { findUserByName } from '../directory/user-store.ts'

const lookEveryMs = 1_000
/** As long as an invitation is good. */
const keptMs = 7 * 24 * 3_600_000
const atOnce = 20

/** Work through imports as they are asked for, and through those that a stopped process left. */
export function importInTime(deps: CoreDeps): Running {
  let closed = false
  const looking = startRounds(
    lookEveryMs,
    () => runImports(deps, () => closed),
    (error) => deps.log.error(error, 'people could not be imported'),
  )
  return {
    async close() {
      closed = true
      await looking.close()
    },
  }
}

/** Deletes imports whose invitations have expired. */
export const cleanupImports = ({ db, now }: Pick<CoreDeps, 'db' | 'now'>) =>
  deleteImportsBefore(db, new Date(now().getTime() - keptMs))

/** Do what is open, line by line; each line is done once, whatever stops in between. */
async function runImports(deps: CoreDeps, stopped: () => boolean = () => false) {
  const { db } = deps
  for (
    let job = await takeImport(db, deps.now());
    job && !stopped();
    job = await takeImport(db, deps.now())
  ) {
    while (!stopped() && (await doSome(deps, job)));
  }
}

type Job = { id: number; organizationId: number; caller: OrgCtx['caller'] }

/** Some lines; false when none is left. */
async function doSome(deps: CoreDeps, job: Job) {
  const lines = await waitingLines(deps.db, job.id, atOnce)
  if (lines.length === 0) {
    await finishImport(deps.db, job.id, deps.now())
    return false
  }
  for (const { line, person } of lines) {
    const at = { id: job.id, line }
    // As `insertImport` wrote it.
    const done = await doLine(deps, job, person as ImportPerson)
    // Somebody makes this account now, or a stopped process did: the rest of the import waits for it.
    if (!done) return false
    await finishLine(deps.db, at, done)
  }
  return (await takeImport(deps.db, deps.now(), job.id)) !== undefined
}

type Done = { outcome: Outcome; code?: string; problem?: string; link?: Buffer }

async function doLine(deps: CoreDeps, job: Job, person: ImportPerson): Promise<Done | undefined> {
  const ctx = await importContext(deps, job)
  if (!ctx) {
    const problem = 'Who asked for this import may no longer make people here'
    return { outcome: 'FAILED', code: 'beyond_own_rights', problem }
  }
  try {
    const body = CreateUser.parse(person)
    if (await findUserByName(deps.db, ctx.organization.realm, body.username)) {
      return await joinOrInvite(deps, ctx, body)
    }
    const { invitation } = await addToOrganization(deps, ctx, body)
    if (invitation?.link === undefined) return { outcome: 'MADE' }
    return { outcome: 'MADE', link: deps.secrets.seal(importLabel(job.id), invitation.link) }
  } catch (error) {
    if (!(error instanceof AppError)) {
      deps.log.error(error, 'a line of an import failed')
      return { outcome: 'FAILED', code: 'internal', problem: 'Something went wrong on the server' }
    }
    if (error.code === 'core.busy') return undefined
    // Made by the same line before the process was stopped, or by somebody else meanwhile.
    if (error.code === 'core.username_taken') return { outcome: 'PRESENT' }
    return { outcome: 'FAILED', code: error.code, problem: String(error.details['message'] ?? '') }
  }
}

/** Label that the encrypted invitation links of an import are bound to. */
export const importLabel = (id: number) => `core/user-import/${id}`

/** The call as if the person who asked made it now, with the rights they have now. */
async function importContext(
  deps: CoreDeps,
  { caller, organizationId }: Job,
): Promise<OrgCtx | undefined> {
  const admission = await deps.admit(caller, String(organizationId))
  if (!admission || !can(admission.capability, 'users', 'create')) return undefined
  const { signal } = new AbortController()
  return { ...admission, caller, now: deps.now(), ip: '', signal, subtree: false }
}
