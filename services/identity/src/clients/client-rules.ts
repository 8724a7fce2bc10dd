/** Realm of administration clients; it has no people and no organizations. */
export const masterRealm = 'master'

const servicePrefix = 'user-service-'

/** Client id of a service account, as existing programs expect it. */
export const serviceClientId = (username: string) => servicePrefix + username
/** User name in tokens of a service account; programs strip the prefix. */
export const serviceUsername = (username: string) => `service-account-${serviceClientId(username)}`

/** User name in a client id or token name of a service account; undefined for any other name. */
export const usernameOfService = (name: string) =>
  /^(?:service-account-)?user-service-(.+)$/.exec(name)?.[1]

/** Name reserved for tokens of service accounts; people cannot have it. */
export const isServiceName = (name: string) => name.startsWith('service-account-')

/** Clients that may exist in realm `master`. Each is disabled until it gets a secret. */
export const administrationClients = [
  'corvina-core-keycloak-admin-client',
  'corvina-core-license-manager-admin-client',
]
