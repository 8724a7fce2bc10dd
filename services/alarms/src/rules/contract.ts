import { definePartContract, flag, paging, rowId, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceId, inOrganization, ms } from '../asked-contract.ts'

const id = z.object({ id: z.uuid() })

/** Rule as people see it; `rule` is the `Rule` of `@longreach/rules`, complete. */
const StoredRule = z.object({
  id: z.uuid(),
  orgResourceId: z.string(),
  version: z.int(),
  /** It also judges devices of the organizations below. */
  below: z.boolean(),
  rule: z.record(z.string(), z.unknown()),
  createdAt: ms,
  updatedAt: ms,
  updatedBy: z.string(),
  /** Organization that has its model; null for a rule of one device. */
  modelOrganization: z.string().nullable(),
  /** Changes that the caller may make in its organization; none of one from above. */
  may: z.array(z.enum(['update', 'delete'])),
  /** Open alarms of it on devices that the caller may see. */
  open: z.int(),
})

/**
 * Fault of a rule: the place of the field, a code with parameters, the path probably meant, and the models of
 * which one is meant.
 */
const Issue = z.object({
  place: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  nearest: z.string().optional(),
  choices: z.array(z.object({ modelId: z.string(), organization: z.string() })).optional(),
})

/**
 * Rule that is created or changed: the fields of a `Rule`, read by `validateRule` of `@longreach/rules` so
 * that each fault has its place. `scope.model` names a model as `Oven:1`, and `scope.modelId` is any id of a
 * version of it. Without the id the name has to mean one model alone; a rule that is changed stays with its
 * model as long as the name is the same.
 */
const PostedRule = z.object({ below: z.boolean().default(false), rule: z.unknown() })

/** Change of a rule for one device: other limits and delays, or out of service until a time. */
export const Override = z.object({
  /** In the order of the rule's levels; null keeps the rule's. */
  levels: z
    .array(z.object({ value: z.unknown().optional(), clear: z.unknown().optional() }).nullable())
    .max(4)
    .default([]),
  onDelayMs: z.int().min(0).max(31_536_000_000).optional(),
  offDelayMs: z.int().min(0).max(31_536_000_000).optional(),
  /** Out of service until this time, with the reason. */
  outOfServiceUntil: ms.optional(),
  reason: z.string().max(2_000).default(''),
})
export type Override = z.output<typeof Override>

const RuleForDevice = z.object({
  id: z.uuid(),
  orgResourceId: z.string(),
  version: z.int(),
  rule: z.record(z.string(), z.unknown()),
  override: Override.nullable(),
})

export const rulesContract = definePartContract({
  errors: {
    /** `details` are the issues: place, code, parameters and the nearest path of each. */
    rule_invalid: 422,
    rule_exists: 409,
    /** Somebody else saved the rule meanwhile; `details` has the present version. */
    rule_changed: 409,
    too_many_rules: 422,
  },
  endpoints: {
    rules: {
      method: 'GET',
      path: '/rules',
      access: 'alarms:read',
      query: inOrganization.extend({
        search: z.string().max(500).optional(),
        model: z.string().max(500).optional(),
        /** Organization that has the model, where several models have its name. */
        modelOrganization: z.string().max(500).optional(),
        deviceId: deviceId.optional(),
        /** Only those that judge this device, if they are enabled. */
        judges: deviceId.optional(),
        enabled: flag.optional(),
        ...paging(50, 500),
      }),
      result: z.object({ data: z.array(StoredRule), totalElements: z.int(), last: z.boolean() }),
    },
    rule: {
      method: 'GET',
      path: '/rules/:id',
      access: 'alarms:read',
      params: id,
      query: inOrganization,
      result: StoredRule,
    },
    createRule: {
      method: 'POST',
      path: '/rules',
      access: 'alarms:create',
      query: inOrganization,
      body: PostedRule,
      result: StoredRule,
      status: 201,
    },
    /** `version` is the one that was changed; without it the newest is replaced. */
    replaceRule: {
      method: 'PUT',
      path: '/rules/:id',
      access: 'alarms:update',
      params: id,
      query: inOrganization.extend({
        version: rowIdText.optional(),
      }),
      body: PostedRule,
      result: StoredRule,
    },
    deleteRule: {
      method: 'DELETE',
      path: '/rules/:id',
      access: 'alarms:delete',
      params: id,
      query: inOrganization,
      result: z.undefined(),
    },
    validateRule: {
      method: 'POST',
      path: '/rules/validate',
      reads: true,
      access: 'alarms:read',
      query: inOrganization.extend({ id: z.uuid().optional() }),
      body: z.object({ rule: z.unknown() }),
      result: z.object({ ok: z.boolean(), issues: z.array(Issue) }),
    },
    ruleVersions: {
      method: 'GET',
      path: '/rules/:id/versions',
      access: 'alarms:read',
      params: id,
      query: inOrganization,
      result: z.object({
        data: z.array(
          z.object({
            version: z.int(),
            rule: z.record(z.string(), z.unknown()),
            at: ms,
            by: z.string(),
          }),
        ),
      }),
    },
    restoreRule: {
      method: 'POST',
      path: '/rules/:id/restore',
      access: 'alarms:update',
      params: id,
      query: inOrganization,
      body: z.object({ version: rowId }),
      result: StoredRule,
    },
    overrides: {
      method: 'GET',
      path: '/rules/:id/overrides',
      access: 'alarms:read',
      params: id,
      query: inOrganization,
      result: z.object({
        data: z.array(z.object({ deviceId, deviceLabel: z.string(), override: Override })),
      }),
    },
    setOverride: {
      method: 'PUT',
      path: '/rules/:id/overrides/:deviceId',
      access: 'alarms:update',
      params: id.extend({ deviceId }),
      query: inOrganization,
      body: Override,
      result: Override,
    },
    deleteOverride: {
      method: 'DELETE',
      path: '/rules/:id/overrides/:deviceId',
      access: 'alarms:update',
      params: id.extend({ deviceId }),
      query: inOrganization,
      result: z.undefined(),
    },
    exportRules: {
      method: 'GET',
      path: '/rules/export',
      access: 'alarms:read',
      query: inOrganization,
      result: z.object({ rules: z.array(z.object({ below: z.boolean(), rule: z.unknown() })) }),
    },
    /** With `dryRun` nothing is stored; the answer says for each rule what would be done. */
    importRules: {
      method: 'POST',
      path: '/rules/import',
      access: 'alarms:create',
      query: inOrganization.extend({ dryRun: flag.default(true) }),
      body: z.object({ rules: z.array(PostedRule).max(1_000) }),
      result: z.object({
        data: z.array(
          z.object({
            name: z.string(),
            outcome: z.enum(['new', 'changed', 'same', 'invalid']),
            issues: z.array(Issue),
          }),
        ),
      }),
    },
    /** Enabled rules that may judge a device: of its organization, and of those above that reach down. */
    rulesForDevice: {
      method: 'GET',
      path: '/internal/devices/:deviceId/rules',
      access: 'service',
      params: z.object({ deviceId }),
      query: z.object({
        orgResourceId: z.string(),
        /** Model of the device, as its paths begin: `Oven:1`; absent without a preset. */
        model: z.string().optional(),
        /** Organization that has this model. */
        modelOrganization: z.string().optional(),
      }),
      result: z.object({ rules: z.array(RuleForDevice) }),
    },
  },
  events: {
    /** A rule was created, changed, deleted or overridden; devices of its scope are to be asked for anew. */
    rulesChanged: {
      topic: 'alarms.rules_changed',
      payload: z.object({
        ruleId: z.uuid(),
        orgResourceId: z.string(),
        below: z.boolean(),
        /** Either the model or the device of its scope; both where these changed. */
        models: z.array(z.string()),
        deviceIds: z.array(z.string()),
        isDeleted: z.boolean(),
      }),
    },
  },
})
