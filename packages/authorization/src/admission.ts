import type { Capability } from './capability.ts'

/** Organization, with what every service needs of it. */
export type Organization = {
  id: number
  /** Dotted path from the root, for example `nordwerk.service.italy`. Never changes. */
  resourceId: string
  name: string
  label: string
  /** Identity realm: the name of the root organization. */
  realm: string
  dataEnabled: boolean
  vpnEnabled: boolean
  /** Addresses and networks that calls may come from; empty or absent: any. */
  allowedAddresses?: readonly string[] | undefined
  /** People need a second factor in this organization. */
  secondFactorRequired?: boolean | undefined
}

/** Admission of a caller to an organization, with their rights in it. */
export type Admission = {
  organization: Organization
  capability: Capability
  /** Some of the caller's rights also hold in every organization below. */
  below: boolean
  /** Rights that also hold below; calls about the whole tree use these. */
  capabilityBelow?: Capability
  /**
   * resourceIds of organizations below with private access, to which rights from above do not
   * extend.
   */
  closed?: readonly string[] | undefined
}

/**
 * Tree check: the organization is below that of the admission, with no private access between them.
 */
export const isOpenBelow = (
  {
    organization,
    closed = [],
  }: Pick<Admission, 'closed'> & { organization: { resourceId: string } },
  resourceId: string,
) =>
  resourceId.startsWith(`${organization.resourceId}.`) &&
  !closed.some((one) => resourceId === one || resourceId.startsWith(`${one}.`))
