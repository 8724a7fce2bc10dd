import { createHash } from 'node:crypto'

/** Read by the session-check frame's script; a hash, so that the cookie is worth nothing to a thief. */
export const sessionStateCookie = 'KEYCLOAK_SESSION'

export const sessionStateOf = (sid: string) => createHash('sha256').update(sid).digest('base64url')
