import { can } from '@longreach/authorization/can'
import { checkAdmission } from '@longreach/kit/admission-check'
import { AppError } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { AlarmsDeps } from '../deps.ts'

/**
 * Context of a search whose organization is in its body alone, as the mobile app names it: the caller is
 * admitted there. 404 for an organization that is not theirs, and for one beside that of the query.
 */
export async function scopedContext(
  { admit }: Pick<AlarmsDeps, 'admit'>,
  ctx: OrgCtx,
  named: string | undefined,
  scoped: string | undefined,
): Promise<OrgCtx> {
  const asked = scoped?.trim() ?? ''
  if (asked === '') return ctx
  const isBelow = asked.endsWith('*')
  const plain = isBelow ? asked.replace(/\.?\*$/, '') : asked
  const own = ctx.organization.resourceId
  if (plain === '' || plain === own)
    return isBelow && !ctx.subtree ? admitted(ctx, ctx, isBelow) : ctx
  const admission = await admit(ctx.caller, plain)
  if (!admission) throw noOrganization(asked)
  const { resourceId } = admission.organization
  if (named !== undefined && !isInside(resourceId, own)) throw noOrganization(asked)
  checkAdmission(ctx.caller, ctx.ip, admission.organization)
  return admitted(ctx, admission, isBelow)
}

const isInside = (org: string, top: string) => org === top || org.startsWith(`${top}.`)

type Admission = NonNullable<Awaited<ReturnType<AlarmsDeps['admit']>>>

/** Context in another organization; a call about all below it has the rights that reach down. */
function admitted(ctx: OrgCtx, admission: Admission, isBelow: boolean): OrgCtx {
  const reaching =
    isBelow && admission.below ? (admission.capabilityBelow ?? admission.capability) : undefined
  const subtree = reaching !== undefined && can(reaching, 'alarms', 'read')
  const capability = subtree ? reaching : admission.capability
  if (!can(capability, 'alarms', 'read'))
    throw new AppError(403, 'auth.missing_permission', { permission: 'alarms:read' })
  const { organization, below, capabilityBelow, closed } = admission
  const rights = { organization, below, ...(capabilityBelow && { capabilityBelow }), closed }
  return { ...contextOf(ctx), ...rights, capability, subtree }
}

/** Facts of the call without the organization; its signal is made when it is asked for. */
const contextOf = ({ caller, now, ip, signal }: OrgCtx) => ({ caller, now, ip, signal })

const noOrganization = (organization: string) =>
  new AppError(404, 'auth.no_such_organization', { organization, field: 'scopedOrganization' })

/** Context of a call that asks for the organizations below by a field; they are read if rights reach down. */
export function withBelow(ctx: OrgCtx, below: boolean | undefined): OrgCtx {
  return below === true && !ctx.subtree ? admitted(ctx, ctx, true) : ctx
}
