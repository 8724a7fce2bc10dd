import { organizationsContract } from '@longreach/identity/organizations-contract'
import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const UserPreference = z.object({
  id: z.int(),
  orgResourceId: z.string(),
  username: z.string(),
  serviceName: z.string(),
  value: z.string(),
  /** The same; clients know it by either name. */
  value1: z.string(),
})
const name = z.string().min(1).max(255)
const longest = 20_000
const value = z.string().max(longest)
/** A text, or what is kept as its JSON text: the id of a dashboard with its version. */
const anyValue = z
  .json()
  .transform((sent) => (typeof sent === 'string' ? sent : JSON.stringify(sent)))
  .refine((text) => text.length <= longest, `must not be longer than ${longest} characters`)
const org = z.object({ org: z.string() })
const property = z.object({ user: z.string(), service: name, property: name })

export const preferenceEndpoints = {
  personLanguage: organizationsContract.endpoints.personLanguage,
  /** One's own property, plain text; `mine`, the user name, id or subject stand for oneself. Nothing kept: 204. */
  property: {
    method: 'GET',
    path: '/users/:user/services/:service/properties/:property',
    access: 'signed-in',
    params: property,
    result: z.string().optional(),
  },
  setProperty: {
    method: 'PUT',
    path: '/users/:user/services/:service/properties/:property',
    access: 'signed-in',
    params: property,
    body: anyValue,
    result: z.string(),
  },
  userPreferences: {
    method: 'GET',
    path: '/organizations/:org/userPreferences',
    access: 'member',
    params: org,
    query: z.object({ serviceName: name.optional() }),
    result: z.array(UserPreference),
  },
  /** Keep one's own preference; the same service again replaces it. */
  setUserPreference: {
    method: 'POST',
    path: '/organizations/:org/userPreferences',
    access: 'member',
    params: org,
    body: z
      .object({
        serviceName: name,
        /** Only one's own. */
        username: name.optional(),
        value: value.optional(),
        value1: value.optional(),
      })
      .refine(({ value, value1 }) => (value ?? value1) !== undefined, {
        path: ['value'],
        message: 'is missing',
      })
      .refine((sent) => (sent.value ?? sent.value1) === (sent.value1 ?? sent.value), {
        path: ['value1'],
        message: 'must be the same as value, or absent',
      }),
    result: UserPreference,
  },
  deleteUserPreference: {
    method: 'DELETE',
    path: '/organizations/:org/userPreferences',
    access: 'member',
    params: org,
    query: z.object({ serviceName: name }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
