import { pathRights } from '@longreach/authorization/capability'
import { actions, resources } from '@longreach/authorization/permissions'
import { contentPage, type Endpoint, flag, paging, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

const Named = z.object({ id: z.int(), name: z.string(), label: z.string() })
export const Person = z.object({
  id: z.int(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  serviceAccount: z.boolean(),
  enabled: z.boolean(),
})
export type Person = z.output<typeof Person>

/** Reasons why a right that a role gives has no effect. */
export const Blocked = z.enum([
  'iot-disabled',
  'policies',
  'model-paths',
  'private-access',
  'second-factor',
  'address',
  'disabled',
  'key-limits',
])
export type Blocked = z.output<typeof Blocked>

/** One way to a right: the person, their group, its role, the policy that lets the device through. */
export const Reason = z.object({
  user: z.string(),
  group: Named,
  role: Named,
  /** The security policy by which the person sees the device; null: no policy restricts them. */
  policy: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** resourceId of the organization that group and role belong to. */
  organization: z.string(),
  /** Came down the tree from there. */
  inherited: z.boolean(),
  /** Holds only for devices in this group. */
  deviceGroup: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Holds only for this name of remote access. */
  vpnName: z.string().nullable(),
  /** The model paths that the role gives; null: all of them. */
  paths: z.array(z.string()).nullable(),
})
export type Reason = z.output<typeof Reason>

const Explained = z.object({
  allowed: z.boolean(),
  reasons: z.array(Reason),
  blocked: Blocked.optional(),
})

/** Further conditions of the organization for every call. */
const Conditions = z.object({
  secondFactor: z.boolean(),
  /** Addresses and networks that calls may come from; none: any. */
  addresses: z.array(z.string()),
})
const Resource = z.enum(resources)
const Action = z.enum(actions)

export const explainEndpoints = {
  /**
   * Why a person may or may not do something here. Without `user`: the caller, which every member
   * may ask; about others `users:read` is needed. A person or device that is not here is 404.
   */
  explain: {
    method: 'GET',
    path: '/organizations/:org/explain',
    access: 'member',
    params: z.object({ org: z.string() }),
    query: z.object({
      user: rowIdText.optional(),
      resource: Resource,
      action: Action,
      deviceId: z.string().max(100).optional(),
      /** A model path of the device. */
      path: z.string().max(2_000).optional(),
      /** Use of the path's values; absent: as the action says, read or write. */
      right: z.enum(pathRights).optional(),
      /** A gateway or endpoint as remote access names it. */
      endpoint: z.string().max(255).optional(),
      /** As if the person called from this address, or without a second factor. */
      address: z.union([z.ipv4(), z.ipv6()]).optional(),
      secondFactor: flag.optional(),
    }),
    result: Explained.extend({
      user: Person,
      organization: z.string(),
      resource: Resource,
      action: Action,
      conditions: Conditions,
    }),
  },
  /** Everything that a person may do here, and through what; the caller's own for every member. */
  userAccess: {
    method: 'GET',
    path: '/organizations/:org/users/:user/access',
    access: 'member',
    params: z.object({ org: z.string(), user: z.union([z.literal('me'), rowIdText]) }),
    result: z.object({
      user: Person,
      organization: z.string(),
      /** A member here; else rights come from an organization above. */
      member: z.boolean(),
      /** Device groups that the person is restricted to; empty: no restriction. */
      policies: z.array(z.object({ id: z.int(), name: z.string() })),
      conditions: Conditions,
      /** Rights that a role gives, whether something blocks them or not. */
      rights: z.array(
        Explained.extend({
          resource: Resource,
          action: Action,
          /** Holds in every organization below too. */
          below: z.boolean(),
        }),
      ),
    }),
  },
  /** People with their actions on a device and the reasons for them, by name. */
  deviceAccess: {
    method: 'GET',
    path: '/organizations/:org/devices/:device/access',
    access: 'users:read',
    params: z.object({ org: z.string(), device: z.string().max(100) }),
    query: z.object({ ...paging(), search: z.string().max(255).optional() }),
    result: contentPage(
      z.object({
        user: Person,
        actions: z.array(Action),
        /** Model paths as patterns. */
        paths: z.record(
          z.enum(pathRights),
          z.union([z.literal('all'), z.literal('none'), z.array(z.string())]),
        ),
        reasons: z.array(Reason),
      }),
    ),
  },
  /** People who have a role, with the groups that give it to them. */
  roleAccess: {
    method: 'GET',
    path: '/organizations/:org/roles/:role/access',
    access: 'roles:read',
    params: z.object({ org: z.string(), role: rowIdText }),
    query: z.object(paging()),
    result: z.object({
      role: Named,
      /** Rights as `devices:read`. */
      rights: z.array(z.string()),
      groups: z.array(Named.extend({ type: z.string(), people: z.int() })),
      /** People below who hold the ready-made role of the same name there, as far as the caller's rights reach. */
      peopleBelow: z.int(),
      /** Empty for callers without `users:read`; the total stands. */
      people: contentPage(z.object({ user: Person, groups: z.array(Named) })),
    }),
  },
} as const satisfies Record<string, Endpoint>
