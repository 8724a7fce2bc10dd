import { checkAdmission } from '@longreach/kit/admission-check'
import { failure } from '@longreach/kit/errors'
import type { Caller, OrgCtx } from '@longreach/kit/service'
import type { Action } from '@longreach/authorization/permissions'
import { z } from 'zod'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import { deviceFor } from './device-access.ts'
import type { Directory } from './device-directory.ts'

/** Person or program in a message; the authorizer judges what they may do. */
const CallerWord = z.custom<Caller>(
  (value) => z.looseObject({ kind: z.literal('user'), sub: z.string() }).safeParse(value).success,
)

/** Person or program of a call that goes on to another process, as that one is told. */
export const Asker = z.object({
  caller: CallerWord,
  organization: z.string(),
  ip: z.string(),
})
export type Asker = z.output<typeof Asker>

export const askerOf = ({
  caller,
  organization,
  ip,
}: Pick<OrgCtx, 'caller' | 'organization' | 'ip'>): Asker => ({
  caller,
  organization: organization.resourceId,
  ip,
})

type Known = { directory: Directory; admit: PlatformDeps['admit'] }
type Asked = { asker: Asker; deviceId: string; action: Action }

/**
 * Device of a call that came from another process, with the rights that its asker has now. A message
 * carries no right: they are looked up as if this process had been asked.
 */
export async function deviceForAsker(
  { directory, admit }: Known,
  { asker: { caller, organization, ip }, deviceId, action }: Asked,
) {
  const admission = await admit(caller, organization)
  if (!admission) {
    throw failure(platformContract, 'not_found', {
      message: `no device ${deviceId} here`,
      deviceId,
    })
  }
  checkAdmission(caller, ip, admission.organization)
  return { admission, device: await deviceFor(directory, admission, deviceId, action) }
}
