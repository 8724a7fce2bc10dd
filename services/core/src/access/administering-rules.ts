/** Name of the ready-made role of who made an organization. */
export const ownerRole = 'app_owner'
/** Name of the ready-made role of who administers an organization. */
export const administratorRole = 'app_administrator'
/** Names of the roles whose holders administer the organization. */
export const administeringRoles = [ownerRole, administratorRole]
