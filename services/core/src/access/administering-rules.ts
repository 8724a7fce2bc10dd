/** Name of the ready-made role of who made an organization. */
export const ownerRole = 'app_owner'
/** Name of the ready-made role of who administers an organization. */
export const administratorRole = 'app_administrator'
/** Whoever has one of these administers the organization. */
export const administeringRoles = [ownerRole, administratorRole]
