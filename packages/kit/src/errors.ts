import type { Contract } from './contract.ts'

/**
 * Expected error of a service. `code` is stable and translated by the portal; `details.message`
 * says what was wrong and what to do. Any other thrown value is a bug and answers 500 without its
 * text.
 */
export class AppError extends Error {
  override name = 'AppError'
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(status: number, code: string, details: Record<string, unknown> = {}) {
    super(`${code} ${JSON.stringify(details)}`)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Error that the contract declares, with its HTTP status. */
export const failure = <C extends Contract>(
  contract: C,
  error: keyof C['errors'] & string,
  details?: Record<string, unknown>,
) => new AppError(contract.errors[error] ?? 500, `${contract.service}.${error}`, details)
