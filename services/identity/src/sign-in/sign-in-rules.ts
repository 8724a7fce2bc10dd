import type { RequiredAction } from '../accounts/account-contract.ts'

/** A page of the sign-in, in the order in which they come. */
export type Stage = 'password' | 'second-factor' | RequiredAction | 'done'

/** How far the sign-in has come, and what the person and the request need. */
export type Progress = {
  /** A password, passkey or young session has said who it is. */
  known: boolean
  /** A second factor was used in this session. */
  strong: boolean
  /** The person has an authenticator program or a passkey. */
  hasFactor: boolean
  /** The organization asked for, or the request itself, wants a second factor. */
  strengthWanted: boolean
  requiredActions: readonly RequiredAction[]
  /** What the portal asked for with `kc_action`. */
  askedAction: RequiredAction | undefined
  /** Actions done (or, asked for only, given up) in this sign-in. */
  done: readonly string[]
}

/**
 * The page that is due. It depends on what has happened and never on the address that was opened, so
 * that no page can be passed by.
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

/** An action that the person may leave without doing it: only what the portal asked for alone. */
export const mayCancel = (stage: Stage, progress: Progress) =>
  stage === progress.askedAction &&
  !progress.requiredActions.includes(stage) &&
  (progress.strong || !progress.strengthWanted)

export type Method = 'pwd' | 'otp' | 'hwk' | 'user' | 'mfa'

/** What a token says of how its holder was recognized: '2' when a second factor was used. */
export const acrOf = (amr: readonly string[]) => (amr.includes('mfa') ? '2' : '1')

export const withMethods = (amr: readonly string[], ...more: Method[]) => [
  ...new Set([...amr, ...more]),
]

const actions: readonly string[] = ['CONFIGURE_TOTP', 'UPDATE_PASSWORD'] satisfies RequiredAction[]

export const isRequiredAction = (action: unknown): action is RequiredAction =>
  typeof action === 'string' && actions.includes(action)

/** Changing how one signs in needs a sign-in not older than this. */
export const freshForS = 5 * 60
