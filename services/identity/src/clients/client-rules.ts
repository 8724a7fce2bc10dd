/** The realm of machine administration; people and organizations are never in it. */
export const masterRealm = 'master'

const servicePrefix = 'user-service-'

/** The client of a service account, named as programs in the field expect it. */
export const serviceClientId = (username: string) => servicePrefix + username
/** The name in a service account's tokens; programs strip what stands before the user name. */
export const serviceUsername = (username: string) => `service-account-${serviceClientId(username)}`

/** The user name behind a client or token name of a service account; undefined for any other name. */
export const usernameOfService = (name: string) =>
  /^(?:service-account-)?user-service-(.+)$/.exec(name)?.[1]

/** People may not be named as service accounts are in tokens. */
export const isServiceName = (name: string) => name.startsWith('service-account-')

/** Clients of realm `master` that may exist. Each is off until it is given a secret. */
export const administrationClients = [
  'corvina-core-keycloak-admin-client',
  'corvina-core-license-manager-admin-client',
]
