/** A deleted organization can be restored for 30 days. */
export const restorableForMs = 30 * 24 * 3_600_000

/** When a deleted organization goes for good. */
export const purgedAt = (deletedAt: Date) => new Date(deletedAt.getTime() + restorableForMs)
