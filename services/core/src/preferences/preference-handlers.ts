import { failure } from '@longreach/kit/errors'
import type { Caller, Handlers } from '@longreach/kit/service'
import { localName } from '@longreach/kit/person-name-rules'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub } from '../directory/user-store.ts'
import type { preferenceEndpoints } from './preference-contract.ts'
import {
  deletePreference,
  findLanguage,
  findProperty,
  listPreferences,
  saveProperty,
  savePreference,
} from './preference-store.ts'

type PreferenceHandlers = Pick<Handlers<typeof coreContract>, keyof typeof preferenceEndpoints>

export const preferenceHandlers = ({ db }: CoreDeps): PreferenceHandlers => ({
  personLanguage: async ({ query: { sub } }) => {
    const language = await findLanguage(db, sub)
    return language === undefined ? {} : { language }
  },

  property: async ({ params }, { caller }) => {
    const user = await requireOneself(db, caller, params.user)
    return findProperty(db, user.id, params)
  },

  setProperty: async ({ params, body }, { caller }) => {
    const user = await requireOneself(db, caller, params.user)
    await saveProperty(db, user.id, { ...params, value: body })
    return body
  },

  userPreferences: async ({ query: { serviceName } }, { caller, organization }) => {
    const user = await requireOneself(db, caller, 'mine')
    const rows = await listPreferences(db, user.id, organization.id, serviceName)
    return rows.map((row) => toPreference(row, organization.resourceId, user.username))
  },

  setUserPreference: async ({ body }, { caller, organization }) => {
    const { serviceName, username = 'mine', value1, value = value1 ?? '' } = body
    const user = await requireOneself(db, caller, username)
    const row = await savePreference(db, user.id, organization.id, { serviceName, value })
    return toPreference(row, organization.resourceId, user.username)
  },

  deleteUserPreference: async ({ query: { serviceName } }, { caller, organization }) => {
    const user = await requireOneself(db, caller, 'mine')
    await deletePreference(db, user.id, organization.id, serviceName)
  },
})

const toPreference = (
  row: { id: number; service_name: string; value: string },
  orgResourceId: string,
  username: string,
) => ({
  id: row.id,
  orgResourceId,
  username,
  serviceName: row.service_name,
  value: row.value,
  value1: row.value,
})

/** Preferences are one's own: any other person is not found. */
async function requireOneself(db: Kysely<CoreDb>, caller: Caller, named: string) {
  const user = await findUserBySub(db, caller)
  const own = user && ['mine', String(user.id), user.username, user.sub]
  if (user && own?.includes(localName(named, user.realm))) return user
  throw failure(coreContract, 'not_found', { message: `There is no person "${named}" for you` })
}
