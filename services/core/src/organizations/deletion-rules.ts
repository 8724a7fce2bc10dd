/** A deleted organization can be restored for 30 days. */
export const restorableForMs = 30 * 24 * 3_600_000

/** Time at which a deleted organization is purged. */
export const purgedAt = (deletedAt: Date) => new Date(deletedAt.getTime() + restorableForMs)
