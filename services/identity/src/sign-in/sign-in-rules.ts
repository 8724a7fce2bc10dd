import type { RequiredAction } from '../accounts/account-contract.ts'

/** Page of the sign-in, in the order in which they appear. */
export type Stage = 'password' | 'second-factor' | RequiredAction | 'done'

/** Completed parts of a sign-in, and what the person and the request need. */
export type Progress = {
  /** The person is identified by a password, a passkey or a recent sign-in. */
  known: boolean
  /** A second factor was used in this session. */
  strong: boolean
  /** The person has an authenticator app or a passkey. */
  hasFactor: boolean
  /** The requested organization, or the request itself, requires a second factor. */
  strengthWanted: boolean
  requiredActions: readonly RequiredAction[]
  /** Action that the portal requested with `kc_action`. */
  askedAction: RequiredAction | undefined
  /** Actions that were done in this sign-in, or cancelled if only the portal requested them. */
  done: readonly string[]
}

/**
 * Page that is due. It depends on the completed steps and never on the opened address, so that no step
 * can be skipped.
 */
export function nextStage(progress: Progress): Stage {
  const { known, strong, hasFactor, strengthWanted, requiredActions, askedAction, done } = progress
  if (!known) return 'password'
  if (!strong && hasFactor) return 'second-factor'
  if (!strong && strengthWanted) return 'CONFIGURE_TOTP'
  const due = requiredActions.find((action) => !done.includes(action))
  if (due) return due
  return askedAction && !done.includes(askedAction) ? askedAction : 'done'
}

/** Test that the person may cancel the action: only the portal requested it. */
export const mayCancel = (stage: Stage, progress: Progress) =>
  stage === progress.askedAction &&
  !progress.requiredActions.includes(stage) &&
  (progress.strong || !progress.strengthWanted)

export type Method = 'pwd' | 'otp' | 'hwk' | 'user' | 'mfa'

/** Level of authentication in tokens: `2` when a second factor was used. */
export const acrOf = (amr: readonly string[]) => (amr.includes('mfa') ? '2' : '1')

export const withMethods = (amr: readonly string[], ...more: Method[]) => [
  ...new Set([...amr, ...more]),
]

const actions: readonly string[] = ['CONFIGURE_TOTP', 'UPDATE_PASSWORD'] satisfies RequiredAction[]

export const isRequiredAction = (action: unknown): action is RequiredAction =>
  typeof action === 'string' && actions.includes(action)

/** Seconds after a sign-in in which credentials may be changed. */
export const freshForS = 5 * 60
