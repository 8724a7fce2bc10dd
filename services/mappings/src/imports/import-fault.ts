import type { AppError } from '@longreach/kit/errors'
import { ImportFault, type ImportProblem } from './import-contract.ts'

/** Problem of a line of the table, as it is saved with the line. */
export const faultOfProblem = ({ column, code, value, message }: ImportProblem): ImportFault => ({
  column,
  code,
  value,
  message,
})

/** Why the making of a device failed. */
export const faultOfError = ({ code, details: { message } }: AppError): ImportFault => ({
  column: '',
  code,
  value: '',
  message: typeof message === 'string' ? message : code,
})

/** A fault as its line keeps it. */
export const writeFault = (fault: ImportFault) => JSON.stringify(fault)

/** A kept fault; a bare sentence is one whose code is not known. */
export function readFault(text: string): ImportFault {
  try {
    return ImportFault.parse(JSON.parse(text))
  } catch {
    return { column: '', code: '', value: '', message: text } // a bare sentence
  }
}

/** A fault in one sentence, with its column. */
export const faultText = ({ column, message }: ImportFault) =>
  [column, message].filter(Boolean).join(': ')
