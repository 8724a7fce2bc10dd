/** Why a workbook cannot be taken in; `cell` and `value` where it is one cell's fault. */
export class SheetFault extends Error {
  readonly code: SheetFaultCode
  readonly cell: string
  readonly value: string
  constructor(code: SheetFaultCode, cell = '', value = '') {
    super(`${code} ${cell} ${value}`)
    this.code = code
    this.cell = cell
    this.value = value
  }
}
type SheetFaultCode =
  | 'noWorkbook'
  | 'locked'
  | 'broken'
  | 'tooLarge'
  | 'noSheet'
  | 'errorCell'
  | 'noResult'
  | 'brokenCell'
