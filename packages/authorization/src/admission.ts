import type { Capability } from './capability.ts'

/** An organization as every service needs to know it. */
export type Organization = {
  id: number
  /** Dotted path from the root: `nordwerk.service.italy`. Never changes. */
  resourceId: string
  name: string
  label: string
  /** The identity realm: the name of the root organization. */
  realm: string
  dataEnabled: boolean
  vpnEnabled: boolean
  /** Addresses and networks that calls may come from; none or absent: any. */
  allowedAddresses?: readonly string[] | undefined
  /** People need a second factor here. */
  secondFactorRequired?: boolean | undefined
}

/** A caller let into an organization: which one, and what they may do there. */
export type Admission = {
  organization: Organization
  capability: Capability
  /** Some of the caller's rights reach down to every organization below this one. */
  below: boolean
  /** The rights that reach down, where `below`: a call about the whole tree goes by these. */
  capabilityBelow?: Capability
  /** resourceIds of organizations below that keep others out: what is above does not reach into them. */
  closed?: readonly string[] | undefined
}

/** Is the organization below that of the admission, and not behind private access? */
export const isOpenBelow = (
  {
    organization,
    closed = [],
  }: Pick<Admission, 'closed'> & { organization: { resourceId: string } },
  resourceId: string,
) =>
  resourceId.startsWith(`${organization.resourceId}.`) &&
  !closed.some((one) => resourceId === one || resourceId.startsWith(`${one}.`))
