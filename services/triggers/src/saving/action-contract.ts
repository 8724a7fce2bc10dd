import { z } from 'zod'

const template = z.string().max(20_000).default('')
const url = z.string().min(1).max(2_000)
/** A secret; it is answered as an empty text, and an empty or missing one keeps the one of before. */
const secret = z.string().max(4_000).default('')

/** Days of the week on which an action runs, 0 is Sunday; empty: every day. */
const xdays = z.array(z.int().min(0).max(6)).max(7).nullish()

const common = {
  disabled: z.boolean().default(false),
  /** Always false; kept for clients that send it. */
  stateful: z.boolean().default(false),
  /** Shortest time between two runs of the action for one device; the first firing passes. */
  throttlingIntervalInMSec: z.int().min(0).max(31_536_000_000).optional(),
  /** Identity of the action within its trigger; made where it is missing. */
  uuid: z.string().min(1).max(100).optional(),
}

/** Addresses: a text with commas or semicolons, or a list. */
const addresses = z.union([z.string().max(5_000), z.array(z.string().max(300)).max(50)])

const Email = z.object({
  type: z.literal('EMAIL_ACTION'),
  ...common,
  emailConfig: z.object({
    emailTo: addresses,
    /** Kept, but mails come from the address of the server. */
    emailFrom: z.string().max(300).nullish(),
    emailBcc: addresses.nullish(),
    subject: z.string().max(1_000).default(''),
    template,
    xdays,
  }),
})
const Webhook = z.object({
  type: z.literal('WEBHOOK_ACTION'),
  ...common,
  webhookConfig: z.object({
    /** Values are secret. */
    headers: z.record(z.string().min(1).max(100), z.string().max(4_000)).default({}),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
    url,
    /** JSON with fields; empty: all facts of the run. */
    template,
    xdays,
  }),
})
const Telegram = z.object({
  type: z.literal('TELEGRAM_ACTION'),
  ...common,
  telegramConfig: z.object({
    token: secret,
    chatId: z.union([z.string().min(1).max(100), z.int()]),
    template,
    xdays,
  }),
})
const Teams = z.object({
  type: z.literal('TEAMS_ACTION'),
  ...common,
  teamsConfig: z.object({ endpoint: secret, template, xdays }),
})
const scalar = z.union([z.number(), z.boolean(), z.string().max(2_000)])
/** Sets an attribute of the device that fired. */
const Attribute = z.object({
  type: z.literal('ATTRIBUTE_ACTION'),
  ...common,
  /** Name of the attribute, which takes the value that fired, or its name and the value. */
  attribute: z.union([
    z.string().min(1).max(200),
    z.object({ name: z.string().min(1).max(200), value: scalar.optional() }),
  ]),
})

/** Action on the existing wire. */
export const Action = z.discriminatedUnion('type', [Email, Webhook, Telegram, Teams, Attribute])
export type Action = z.output<typeof Action>

const own = { ...common, xdays }

/** Actions that are not on the existing wire. */
export const OwnAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('WRITE'),
    ...own,
    /** Path of a model, as `Oven:1/speed`, on the device that fired or on `deviceId`. */
    path: z.string().min(1).max(500),
    deviceId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{22}$/)
      .optional(),
    /** Value to write; without it the value that fired. */
    value: scalar.optional(),
  }),
  z.object({
    type: z.literal('ALARM'),
    ...own,
    name: z.string().trim().min(1).max(200),
    /** 0 to 6, greater is worse. */
    severity: z.int().min(0).max(6).default(3),
    text: z.string().max(2_000).default(''),
  }),
  /** Dashboards are not part of this version: saving answers 422 `policy_invalid`. */
  z.object({
    type: z.literal('SHARE_DASHBOARD'),
    ...own,
    dashboardId: z.string().max(100),
    minutes: z.int().min(1).max(10_080),
  }),
])
export type OwnAction = z.output<typeof OwnAction>
export type AnyAction = Action | OwnAction

export const actionTypes = [
  'EMAIL_ACTION',
  'WEBHOOK_ACTION',
  'TELEGRAM_ACTION',
  'TEAMS_ACTION',
  'ATTRIBUTE_ACTION',
  'WRITE',
  'ALARM',
  'SHARE_DASHBOARD',
] as const
export type ActionType = (typeof actionTypes)[number]
