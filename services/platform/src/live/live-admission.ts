import { can } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import { checkAdmission } from '@longreach/kit/admission-check'
import type { Admission, Caller } from '@longreach/kit/service'
import type { PlatformDeps } from '../deps.ts'
import { closeCode } from './live-messages.ts'

/** Somebody who signed in at a socket, and what they may do. */
export type Held = { token: string; caller: Caller; admission: Admission; organization: string }
/** Why a socket is closed: its close code, the name of the error, a sentence. */
type Refusal = readonly [number, string, string]

export const badToken: Refusal = [
  closeCode.notSignedIn,
  'auth.not_signed_in',
  'the token is not good',
]
const tooMany: Refusal = [
  closeCode.tooMany,
  'platform.too_many',
  'the session has too many live sockets',
]
const noRight: Refusal = [
  closeCode.notAllowed,
  'auth.missing_permission',
  'no right to see devices of this organization',
]

/** Address of a socket, and its count among those of a session. */
export type Origin = { ip: string; greet: (caller: Caller) => boolean }
type Asked = { token: string; organization: string; before: Held | undefined }

/** Look up who brings a token and whether they may watch devices of the organization. */
export async function admit(
  deps: PlatformDeps,
  { token, organization, before }: Asked,
  { ip, greet }: Origin,
): Promise<Held | Refusal> {
  const caller = await deps.authenticate(token, ip)
  if (!caller || caller.kind === 'nobody') return badToken
  if (before && caller.sub !== before.caller.sub) return badToken
  if (!greet(caller)) return tooMany
  const admission = await deps.admit(caller, organization === '' ? caller.org : organization)
  if (!admission || !can(admission.capability, 'devices', 'read')) return noRight
  return noSuchOrganization(caller, ip, admission) ?? { token, caller, admission, organization }
}

export const isRefusal = (verdict: Held | Refusal): verdict is Refusal => Array.isArray(verdict)

/** Why the organization does not let this caller in from there; undefined when it does. */
function noSuchOrganization(
  caller: Caller,
  ip: string,
  { organization }: Admission,
): Refusal | undefined {
  try {
    checkAdmission(caller, ip, organization)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [closeCode.notAllowed, error.code, String(error.details['message'])]
  }
}
