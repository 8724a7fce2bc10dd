/** Form of a subject; another text has no account and is not looked up in the database. */
export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim()

/**
 * Required actions after a temporary password is set (true) or replaced (false); undefined changes
 * nothing.
 */
export function actionsWith<A extends string>(
  actions: readonly (A | 'UPDATE_PASSWORD')[],
  temporaryPassword: boolean | undefined,
) {
  const others = [...new Set(actions)]
  if (temporaryPassword === undefined) return others
  const kept = others.filter((one) => one !== 'UPDATE_PASSWORD')
  return temporaryPassword ? [...kept, 'UPDATE_PASSWORD' as const] : kept
}
