import { z } from 'zod'
import { Id, Key } from './id.ts'
import { boardLimits } from './limits.ts'
import { Text } from './text.ts'
import { openObject } from './open-object.ts'

const value = z.union([z.string().max(boardLimits.text), z.number(), z.boolean(), z.null()])
/** Address outside of the portal, or a path of it; nothing that a browser would run. */
const url = z
  .string()
  .max(boardLimits.text)
  .regex(/^(?:https?:\/\/|\/(?!\/)|mailto:|tel:)/)

/** Question before an action: a click, a second held, the device's name typed, or the second factor. */
const Confirm = openObject({
  text: Text.optional(),
  level: z.enum(['ask', 'hold', 'type', 'signIn']),
})

const confirm = Confirm.optional()
const id = z.string().max(24).optional()
const slots = z.record(Key, z.string().max(100)).optional()

const write = openObject({
  slot: Key,
  path: z.string().min(1).max(boardLimits.path),
  value,
  revertMs: z.int().min(50).max(60_000).optional(),
})
const open = z.union([
  openObject({ page: Id, slots }),
  openObject({ board: z.uuid(), slots, tab: z.boolean().optional() }),
  openObject({ step: z.string().max(60), slots }),
  openObject({ section: z.string().max(200), tab: z.boolean().optional() }),
  openObject({ url, tab: z.boolean().optional() }),
])

/** Action of an event: writes a value (`$value` is that of the widget), opens, sets or asks a device. */
export const Act = z
  .union([
    openObject({ id, confirm, write }),
    openObject({ id, confirm, open }),
    openObject({ id, confirm, popup: openObject({ node: Id }) }),
    openObject({ id, confirm, set: openObject({ variable: Key, value }) }),
    openObject({ id, confirm, slot: openObject({ slot: Key, device: z.string().max(100) }) }),
    openObject({
      id,
      confirm,
      device: openObject({ slot: Key, action: z.enum(['restart', 'sync', 'update']) }),
    }),
    openObject({
      id,
      confirm,
      alarm: openObject({
        do: z.enum(['ack', 'reset', 'clear']),
        scope: z.union([z.enum(['board', 'all']), Key]),
      }),
    }),
  ])
  .meta({ id: 'Act' })
export type Act = z.output<typeof Act>

/** Actions of each event, in the order in which they run. */
export const Acts = z.record(
  z.string().regex(/^[a-z][A-Za-z]{0,30}$/),
  z.array(Act).max(boardLimits.actsOfEvent),
)
