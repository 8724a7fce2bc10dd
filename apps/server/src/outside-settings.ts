import type { OutsideSettings } from '@longreach/kit/outside-address'
import { z } from 'zod'

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Environment settings of calls to addresses that people give, such as those of webhooks. */
export const OutsideEnvironment = z.object({
  OUTSIDE_HTTP: z.enum(['off', 'on'], { error: 'OUTSIDE_HTTP must be off or on' }).default('off'),
  OUTSIDE_ALLOWED_NETWORKS: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine(
      (all) => all.every((one) => network.safeParse(one).success),
      'OUTSIDE_ALLOWED_NETWORKS must be addresses or networks with commas between, such as 10.1.0.0/16,fd00:7::5',
    )
    .default([]),
})

/** Calls that the environment allows. */
export const outsideOf = ({
  OUTSIDE_HTTP: http,
  OUTSIDE_ALLOWED_NETWORKS: networks,
}: z.output<typeof OutsideEnvironment>): OutsideSettings => ({ http: http === 'on', networks })
