import { contentPage, definePartContract, flag, paging, rowId } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, deviceId, inOrganization, ms } from '../asked-contract.ts'
import { Action, OwnAction } from './action-contract.ts'
import { blockedEndpoints } from './blocked-contract.ts'

const deviceGroups = z
  .array(z.union([rowId, z.string().regex(/^\d{1,10}$/, 'must be the id of a device group')]))
  .max(100)
  .default([])

/** Policy and actions; the policy is read by `readPolicy` of `@longreach/rules`, so that each fault has its place. */
export const TriggerData = z.object({
  policy: z.unknown(),
  actions: z.array(Action).max(20).default([]),
  /** Language of its messages: en, de, es, fr or it. */
  locale: z.string().max(20).nullish(),
  /** Zone of the days of its actions and of times in its messages; UTC without it. */
  timezone: z.string().max(100).nullish(),
  longreach: z
    .object({
      actions: z.array(OwnAction).max(20).default([]),
      /** It also sees devices of the organizations below. */
      below: z.boolean().default(false),
      description: z.string().max(2_000).default(''),
    })
    .prefault({}),
})
export type TriggerData = z.output<typeof TriggerData>

/** Trigger as clients post it. */
export const PostedTrigger = z.object({
  name: z.string().trim().min(1).max(200),
  disabled: z.boolean().nullish(),
  /** Ids of device groups, of which the device must be in one; empty: all devices. */
  deviceGroups,
  triggerData: TriggerData,
  /** `version` is the one that was changed: another one answers 409 `changed`. What else stands here is ignored. */
  longreach: z.looseObject({ version: rowId.optional() }).optional(),
})
export type PostedTrigger = z.output<typeof PostedTrigger>

/** Link of a chain: a trigger that writes a path, which the next one looks at. */
const Link = z.object({ triggerId: z.uuid(), name: z.string(), path: z.string() })
export type Link = z.output<typeof Link>

/** Trigger on the existing wire, and under `longreach` what is not on it. */
export const Trigger = z.object({
  id: z.uuid(),
  name: z.string(),
  orgResourceId: z.string(),
  updatedAt: ms,
  disabled: z.boolean(),
  deviceGroups,
  /** User name of who saved it last; it acts with their rights. */
  owner: z.string(),
  /** As it was posted, each action with its `uuid`; secrets are empty texts. */
  triggerData: z.object({
    policy: z.unknown(),
    actions: z.array(z.record(z.string(), z.unknown())),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    longreach: z.object({
      actions: z.array(z.record(z.string(), z.unknown())),
      below: z.boolean(),
      description: z.string(),
    }),
  }),
  longreach: z.object({
    version: z.int(),
    createdAt: ms,
    /** `stopped`: a loop or more than 60 runs in a minute, until `resume`. `blocked`: its owner lost a right that it needs. */
    state: z.enum(['active', 'disabled', 'stopped', 'blocked']),
    /** Since when and why it is stopped or blocked, in words (English), with the chain of a loop. */
    stopped: z
      .object({
        at: ms,
        code: z.enum(['too_deep', 'repeated', 'too_many_runs', 'right_lost', 'owner_gone']),
        text: z.string(),
        chain: z.array(Link),
      })
      .nullable(),
    /** Secrets that are kept, as `<uuid of the action>/token`, `/endpoint` or `/headers.<name>`. */
    secrets: z.array(z.string()),
    /** Sums of the last 24 hours. */
    counters: z.object({
      counterIn: z.int(),
      counterOut: z.int(),
      counterThrottled: z.int(),
    }),
    lastRunAt: ms.nullable(),
  }),
})
export type Trigger = z.output<typeof Trigger>

/** Fields of an answer that clients send back, without effect. */
const ignored = ['id', 'orgResourceId', 'updatedAt', 'createdAt', 'owner'] as const

const Issue = z.object({
  /** As `policy.innerPolicies.0.min`, or `actions.0.webhookConfig.url`. */
  place: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  message: z.string().optional(),
})

const read = { access: ['triggers:read', 'organizations:read'], query: inOrganization } as const

export const savingContract = definePartContract({
  errors: {
    /** `details.issues` are the faults: place, code, parameters. */
    policy_invalid: 422,
    /** It would feed itself; `details.chain` are the triggers and paths, the message says it in words. */
    loop: 422,
    /** It would do what who saves it may not; `details.missing` are places and permissions. */
    beyond_own_rights: 403,
    /** Somebody else saved it meanwhile; `details.version` is the present one. */
    changed: 409,
    too_many: 422,
  },
  endpoints: {
    triggers: {
      method: 'GET',
      path: '/triggers',
      access: read.access,
      query: inOrganization.extend({
        ...paging(10, 1_000),
        search: z.string().max(200).optional(),
        disabled: flag.optional(),
        orderBy: z.enum(['name', 'updatedAt']).default('name'),
        orderDir: z
          .string()
          .transform((direction) => direction.toLowerCase())
          .pipe(z.enum(['asc', 'desc']))
          .default('asc'),
      }),
      result: contentPage(Trigger),
    },
    trigger: { method: 'GET', path: '/triggers/:id', ...read, params: byId, result: Trigger },
    createTrigger: {
      method: 'POST',
      path: '/triggers',
      access: ['triggers:create', 'organizations:update'],
      query: inOrganization,
      body: PostedTrigger,
      ignored,
      result: Trigger,
      status: 201,
    },
    replaceTrigger: {
      method: 'PUT',
      path: '/triggers/:id',
      access: ['triggers:update', 'organizations:update'],
      params: byId,
      query: inOrganization,
      body: PostedTrigger,
      ignored,
      result: Trigger,
    },
    deleteTrigger: {
      method: 'DELETE',
      path: '/triggers/:id',
      access: ['triggers:delete', 'organizations:update'],
      params: byId,
      query: inOrganization,
      result: z.undefined(),
    },
    /** Lets a trigger run again that was stopped or blocked; who does it becomes its owner. */
    resumeTrigger: {
      method: 'POST',
      path: '/triggers/:id/resume',
      access: ['triggers:update', 'organizations:update'],
      params: byId,
      query: inOrganization,
      body: z.object({}).default({}),
      result: Trigger,
    },
    /** Faults of a trigger that is being written, without saving it. */
    validateTrigger: {
      method: 'POST',
      path: '/triggers/validate',
      reads: true,
      ...read,
      body: z.object({ id: z.uuid().optional(), trigger: z.unknown() }),
      result: z.object({ ok: z.boolean(), issues: z.array(Issue), loop: z.array(Link) }),
    },
    ...blockedEndpoints,
    /** A trigger as its trial needs it; platform checks whether the caller may see it. */
    triggerForTrial: {
      method: 'GET',
      path: '/internal/triggers/:id',
      access: 'service',
      params: byId,
      result: z.object({
        orgResourceId: z.string(),
        policy: z.unknown(),
        actions: z.array(z.looseObject({})),
      }),
    },
    /** Enabled triggers that may judge a device: of its organization, and of those above that reach down. */
    triggersForDevice: {
      method: 'GET',
      path: '/internal/devices/:deviceId/triggers',
      access: 'service',
      params: z.object({ deviceId }),
      query: z.object({ orgResourceId: z.string() }),
      result: z.object({
        triggers: z.array(
          z.object({
            id: z.uuid(),
            orgResourceId: z.string(),
            version: z.int(),
            /** Time at which the policy was saved: what held before is no firing. */
            updatedAt: ms,
            deviceGroups: z.array(z.string()),
            policy: z.unknown(),
          }),
        ),
      }),
    },
  },
  events: {
    /** A trigger was saved, deleted, stopped or resumed; devices of its organization are to be asked for anew. */
    triggersChanged: {
      topic: 'triggers.changed',
      payload: z.object({
        triggerId: z.uuid(),
        orgResourceId: z.string(),
        below: z.boolean(),
        isDeleted: z.boolean(),
      }),
    },
  },
})
