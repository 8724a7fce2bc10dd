import { defineSubject } from '@longreach/kit/fabric-contract'
import { z } from 'zod'

const node = z.int()

/** Request of a process whose people look at a device, for some seconds: values and frames of it are told. */
export const watchSubject = defineSubject({
  subject: 'watch.:device',
  message: z.object({ node, console: z.boolean() }),
})

/** Newest values of a device by path, from the process that has stored them: `[path, t, v, q]`. */
export const liveSubject = defineSubject({
  subject: 'live.:device',
  message: z.object({ node, rows: z.array(z.tuple([z.string(), z.number(), z.json(), z.int()])) }),
  live: true,
})

/** Frame of a device, as its console shows it. */
export const Frame = z.looseObject({
  at: z.number(),
  direction: z.enum(['received', 'sent']),
  topic: z.string(),
  bytes: z.number(),
  head: z.string(),
  ok: z.boolean(),
})

/** Frames of a device for its console, from the process that it is connected to. */
export const frameSubject = defineSubject({
  subject: 'frame.:device',
  message: z.object({
    node,
    frame: Frame,
  }),
  live: true,
})
