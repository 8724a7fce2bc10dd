import { z } from 'zod'
import type { StoredAccount } from '../accounts/account-store.ts'
import { serviceClientId, serviceUsername } from '../clients/client-rules.ts'
import type { ClientRow } from '../clients/client-store.ts'

const Credential = z.object({
  type: z.literal('password'),
  value: z.string().min(1).max(512),
  temporary: z.boolean().default(false),
})

/** Fields of Keycloak’s user representation that are used; others are ignored. */
export const UserChange = z.object({
  email: z.string().max(255).nullish(),
  firstName: z.string().max(255).nullish(),
  lastName: z.string().max(255).nullish(),
  enabled: z.boolean().nullish(),
  emailVerified: z.boolean().nullish(),
})
export const NewUser = UserChange.extend({
  username: z.string().min(1).max(255),
  credentials: z.array(Credential).max(1).nullish(),
})
export const NewPassword = Credential
export const MailedActions = z.array(z.literal('UPDATE_PASSWORD')).length(1)
export const NewRealm = z.object({
  realm: z.string().regex(/^(?!master$)[a-z0-9][a-z0-9-]{0,62}$/, 'is reserved or malformed'),
  displayName: z.string().max(255).nullish(),
})
export const NewClient = z.object({
  clientId: z.string().regex(/^user-service-.{1,242}$/, 'must be user-service- and a user name'),
  serviceAccountsEnabled: z.literal(true),
  enabled: z.boolean().nullish(),
})

/** Query of a list of users; the default of `max` is Keycloak’s. */
export const UserQuery = z.object({
  search: z.string().max(255).optional(),
  username: z.string().max(255).optional(),
  email: z.string().max(255).optional(),
  exact: z.enum(['true', 'false']).optional(),
  firstName: z.string().max(255).optional(),
  lastName: z.string().max(255).optional(),
  emailVerified: z.enum(['true', 'false']).optional(),
  enabled: z.enum(['true', 'false']).optional(),
  /** Accepted without effect: the full representation is short. */
  briefRepresentation: z.enum(['true', 'false']).optional(),
  /** Filters by attributes and identity providers, which accounts do not have: they match nobody. */
  q: z.string().max(1_000).optional(),
  idpAlias: z.string().max(255).optional(),
  idpUserId: z.string().max(255).optional(),
  first: z.coerce.number<number>().int().min(0).max(10_000_000).default(0),
  max: z.coerce.number<number>().int().min(0).max(1000).default(100),
})
/** Query that refuses unknown filters, so that a tool that looks for one person does not get all. */
export const KnownUserQuery = UserQuery.strict()
export type UserQuery = z.output<typeof UserQuery>

export const userOf = (account: StoredAccount & { createdAt?: Date }) => ({
  id: account.sub,
  username: account.serviceAccount ? serviceUsername(account.username) : account.username,
  email: account.email,
  firstName: account.firstName,
  lastName: account.lastName,
  emailVerified: account.emailVerified,
  enabled: account.enabled,
  requiredActions: account.requiredActions,
  ...(account.createdAt && { createdTimestamp: account.createdAt.getTime() }),
  ...(account.serviceAccount && { serviceAccountClientId: serviceClientId(account.username) }),
})

/** Client with a secret, as Keycloak represents it; its id is its client id. */
export const clientOf = ({ client_id: clientId }: ClientRow, enabled: boolean) => ({
  id: clientId,
  clientId,
  enabled,
  protocol: 'openid-connect',
  publicClient: false,
  serviceAccountsEnabled: true,
  standardFlowEnabled: false,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
})

export const publicClientOf = (clientId: string, redirectUris: readonly string[]) => ({
  id: clientId,
  clientId,
  enabled: true,
  protocol: 'openid-connect',
  publicClient: true,
  serviceAccountsEnabled: false,
  standardFlowEnabled: true,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  redirectUris,
})
