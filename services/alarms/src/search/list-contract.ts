import { z } from 'zod'
import { deviceId } from '../asked-contract.ts'

/** Counts of a list; `total` is exact to 10,000, then estimated. */
export const ListCounts = z.object({
  total: z.int(),
  isExact: z.boolean(),
  bySeverity: z.array(z.int()).length(7),
  unacknowledged: z.int(),
  shelved: z.int(),
  suppressed: z.int(),
})

/** Filters of a list of alarms, beside an expression. */
export const listFilters = {
  /** Words in name, description, device or tag. */
  search: z.string().max(500).optional(),
  severities: z.array(z.int().min(0).max(6)).max(7).optional(),
  deviceId: deviceId.optional(),
  ruleId: z.uuid().optional(),
}
