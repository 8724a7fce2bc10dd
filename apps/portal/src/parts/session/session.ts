import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import type { Permission } from '@longreach/authorization/permissions'
import { createContext, useContext } from 'react'

/** `resourceId` is its dotted path in the tree, `dataEnabled` means IoT-enabled. */
export type Organization = Result<typeof coreContract.endpoints.organization>

/** Who is signed in, where, and what they may do there. Made anew when the organization changes. */
export type Session = {
  realm: string
  subject: string
  username: string
  /** First and last name, or the user name. */
  displayName: string
  email: string
  /** The administrator who acts as this person. */
  impersonator: string | undefined
  /** Where people change their account when it is not kept here. */
  accountConsole: string | undefined
  organization: Organization
  /** How many organizations the person can choose from. */
  choices: number
  permissions: ReadonlySet<Permission>
  /** Roles that the token holds for a client, whatever the organization. */
  resourceRoles: ReadonlySet<string>
  /** When the session ends however much it is used, in ms since 1970; undefined where nobody says. */
  endsAt: number | undefined
  /** What the person may do in another of their organizations. */
  permissionsIn: (organization: Organization) => Promise<ReadonlySet<Permission>>
  /** Go to another organization, and there to a path. The page is left. */
  enter: (resourceId: string, path: string) => Promise<void>
  /** To the organization selector. The page is left. */
  choose: () => void
  /** Type the password once more, then go to a path. The page is left. */
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
