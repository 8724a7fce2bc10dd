import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import type { Permission } from '@longreach/authorization/permissions'
import { createContext, useContext } from 'react'

/** `resourceId` is its dotted path in the tree, `dataEnabled` means IoT-enabled. */
export type Organization = Result<typeof coreContract.endpoints.organization>

/** Signed-in person in one organization, with the permissions there; a new one for each organization. */
export type Session = {
  realm: string
  subject: string
  username: string
  /** First and last name, or the user name. */
  displayName: string
  email: string
  /** The administrator who acts as this person. */
  impersonator: string | undefined
  /** Address of the account pages of an external identity; undefined with the built-in one. */
  accountConsole: string | undefined
  organization: Organization
  /** Number of organizations that the person can choose from. */
  choices: number
  permissions: ReadonlySet<Permission>
  /** Roles that the token holds for a client, whatever the organization. */
  resourceRoles: ReadonlySet<string>
  /** Latest end of the session, also when it is used, in ms since 1970; undefined if identity gives none. */
  endsAt: number | undefined
  /** Permissions of the person in another of their organizations. */
  permissionsIn: (organization: Organization) => Promise<ReadonlySet<Permission>>
  /** Opens a path in another organization; leaves the page. */
  enter: (resourceId: string, path: string) => Promise<void>
  /** Opens the organization selector; leaves the page. */
  choose: () => void
  /** Asks for the password again, then opens a path; leaves the page. */
  signInAgain: (path: string) => Promise<void>
  signOut: () => Promise<void>
}

export const SessionContext = createContext<Session | undefined>(undefined)

/** The session; only below the shell, which exists only with one. */
export function useSession() {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('Not authenticated')
  return session
}

/** `may('devices:update')`: whether the person holds a permission in the organization. */
export function useMay() {
  const { permissions } = useSession()
  return (permission: Permission) => permissions.has(permission)
}
