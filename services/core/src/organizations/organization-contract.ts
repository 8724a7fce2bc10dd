import { contentPage, type Endpoint, flag, paging, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { NewPerson } from '../directory/person-contract.ts'

/** Name of an organization: the last part of its resourceId. */
export const OrganizationName = z.stringFormat(
  'organization_name',
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'must be lower-case letters, digits and dashes, at most 63, and not begin with a dash',
)
export const OrganizationLabel = z.string().trim().min(1).max(255)

const StartPage = z.enum(['HOME', 'OVERVIEW'])

export const Organization = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  status: z.string(),
  /** Dotted path from the root; never changes and is never given out again. */
  resourceId: z.string(),
  realmName: z.string(),
  /** Rights that come down from organizations above end here. */
  privateAccess: z.boolean(),
  /** The organization above may lift the private access. */
  allowDisablePrivateAccess: z.boolean(),
  hostname: z.string().nullable(),
  hostnameAllowed: z.boolean(),
  dataEnabled: z.boolean(),
  vpnEnabled: z.boolean(),
  vpnPairingMode: z.string(),
  vpnOtpRequired: z.boolean(),
  /** Addresses and networks that calls may come from; empty: what the organization above says. */
  ipAddressesWhitelist: z.array(z.string()),
  /** People need a second factor here and below. */
  secondFactorRequired: z.boolean(),
  /** First page of the portal for people who chose none; absent: HOME, the first page in the specified order. */
  startPage: StartPage.optional(),
  userCanAccess: z.boolean(),
  storeEnabled: z.boolean(),
  dealer: z.boolean(),
  hasOwnResources: z.boolean(),
  /** It is the organization of the caller's session. */
  selected: z.boolean().default(false),
  /** Labels of the roles that the caller has in it; only `mine` tells them. */
  roles: z.array(z.string()).optional(),
})
export type Organization = z.output<typeof Organization>

const hostname = z
  .string()
  .max(253)
  .toLowerCase()
  .pipe(
    z.stringFormat(
      'host_name',
      /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/,
      'must be a host name such as portal.example.org',
    ),
  )

const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must be an address or a network such as 203.0.113.7 or 10.0.0.0/8',
})

/** Fields of an organization that are set when it is created and can be changed later. */
const facts = {
  hostname: hostname.nullable().optional(),
  allowHostname: z.boolean().optional(),
  privateAccess: z.boolean().optional(),
  allowDisablePrivateAccess: z.boolean().optional(),
  dataEnabled: z.boolean().optional(),
  vpnEnabled: z.boolean().optional(),
  vpnOtpRequired: z.boolean().optional(),
  ipAddressesWhitelist: z.array(address).max(100).optional(),
  secondFactorRequired: z.boolean().optional(),
  startPage: StartPage.optional(),
  storeEnabled: z.boolean().optional(),
  dealer: z.boolean().optional(),
}
export const NewOrganization = z.object({
  name: OrganizationName,
  label: OrganizationLabel.optional(),
  ...facts,
})
export type NewOrganization = z.output<typeof NewOrganization>
export const OrganizationChange = z.object({ label: OrganizationLabel.optional(), ...facts })
export type OrganizationChange = z.output<typeof OrganizationChange>

/** Features that an organization may turn on for those below it. */
export const Grants = z.object({
  allowEnableDealerOnSuborg: z.boolean(),
  allowEnableHostnameOnSuborg: z.boolean(),
  allowEnableOwnResourcesOnSuborg: z.boolean(),
  allowEnableIotOnSuborg: z.boolean(),
  allowEnableVpnOnSuborg: z.boolean(),
  allowEnableStoreOnSuborg: z.boolean(),
  allowEnableIpFilteringOnSuborg: z.boolean(),
  allowEnablePrivateAccessOnSuborg: z.boolean(),
})
export type Grants = z.output<typeof Grants>

/** Licences come with a service of their own, and gateways are paired in one way only. */
const sentByClients = ['licenseCode', 'vpnPairingMode']

const org = z.object({ org: z.string() })
const creation = z.object({
  addDefaultRoles: flag.default(true),
  /** Clients wait for the licence manager with it; there is nothing to wait for here. */
  waitLicenseManager: flag.optional(),
})

export const organizationEndpoints = {
  /**
   * The identity realm for a host name; `realm` is what the person typed, tried when the host does not
   * tell. A host of an organization also tells which, and at which origin people sign in.
   */
  loginInfo: {
    method: 'GET',
    path: '/organizations/loginInfo',
    access: 'public',
    query: z.object({ hostname: z.string().max(300), realm: z.string().max(100).optional() }),
    result: z.object({
      realmName: z.string(),
      organization: z.string().optional(),
      origin: z.string().optional(),
    }),
  },
  /** The organizations that the caller is a member of; what lies below them is asked for with `organizations`. */
  mine: {
    method: 'GET',
    path: '/organizations/mine',
    access: 'signed-in',
    apiKeys: true,
    result: z.array(Organization),
  },
  /** The realms of the caller's organizations; the id is that of the root organization. */
  mineRealms: {
    method: 'GET',
    path: '/organizations/mineRealms',
    access: 'signed-in',
    result: z.array(z.object({ id: z.int(), name: z.string() })),
  },
  /** The address that the call comes from, as allowed addresses would name it. */
  myIp: {
    method: 'GET',
    path: '/organizations/myIp',
    access: 'signed-in',
    result: z.array(z.string()),
  },
  /** Features that the organization may turn on for those below it. */
  grants: {
    method: 'GET',
    path: '/organizations/:org/grants',
    access: 'member',
    apiKeys: 'organizations:read',
    params: org,
    result: Grants,
  },
  /**
   * A person makes an organization below the one that they are in; another service makes a root
   * organization with its realm and, where given, its owner.
   */
  createRoot: {
    method: 'POST',
    path: '/organizations',
    access: ['service', 'organizations:create'],
    body: NewOrganization.extend({ owner: NewPerson.optional() }),
    ignored: sentByClients,
    result: Organization,
    status: 201,
  },
  createOrganization: {
    method: 'POST',
    path: '/organizations/:org',
    access: 'organizations:create',
    params: org,
    query: creation,
    body: NewOrganization,
    ignored: sentByClients,
    result: Organization,
    status: 201,
  },
  organization: {
    method: 'GET',
    path: '/organizations/:org',
    access: 'member',
    apiKeys: true,
    params: org,
    result: Organization,
  },
  /** For tools that bring data in: the number that core knows an organization by. */
  licensedOrganization: {
    method: 'GET',
    base: '/svc/license/api/v1',
    path: '/organizations/:org',
    access: 'member',
    params: org,
    result: z.object({
      orgCoreId: z.int(),
      orgResourceId: z.string(),
      name: z.string(),
      label: z.string(),
    }),
  },
  /** Organizations below that the caller may enter, by resourceId. */
  organizations: {
    method: 'GET',
    path: '/organizations/:org/organizations',
    access: 'member',
    apiKeys: 'organizations:read',
    params: org,
    query: z.object({
      ...paging(),
      name: z.string().optional(),
      /** Part of the label, the name or the resourceId. */
      search: z.string().max(255).optional(),
      hostname: z.string().optional(),
      /** Only those that this person is a member of; of others than oneself `users:read` may know. */
      userId: rowIdText.optional(),
      onlyFirstLevel: flag.optional(),
      /** Only those that have private access themselves, or only those that have not. */
      privateAccess: flag.optional(),
      /** With those that keep the caller out by private access. */
      includePrivateAccess: flag.optional(),
      orderBy: z.enum(['resourceId', 'name', 'label']).default('resourceId'),
      orderDir: z.enum(['asc', 'desc', 'ASC', 'DESC']).default('asc'),
    }),
    result: contentPage(Organization),
  },
  updateOrganization: {
    method: 'PUT',
    path: '/organizations/:org',
    access: 'organizations:update',
    params: org,
    query: z.object({
      /** Saves even if the caller loses access by it; else such a change is refused. */
      force: flag.optional(),
    }),
    body: OrganizationChange,
    result: Organization,
  },
} as const satisfies Record<string, Endpoint>
