import { expect, test } from 'vitest'
import { readTableFile } from './table-file.ts'
import { sheetTable } from './xlsx-table.ts'
import { bookOf, zipOf } from './xlsx-testing.ts'

/** Two rows that the export of the product wrote: times, texts with signs of XML, numbers, truths, nothing. */
const ownExport =
  'UEsDBBQACAgIAC26dV0AAAAAAAAAAAAAAAAYAAAAeGwvd29ya3NoZWV0cy9zaGVldDEueG1snVTLbtswELz3K4g9' +
  '+FLE1MNOjYRkkNgpUKCHAOnjTMtrmwgfAsnITj+kP9QfCygZgm0YaWIdJIKrmdmZlchutkaTBn1QznLIhxkQtJVb' +
  'KLvi8PPH14sJkBClXUjtLHJ4wQA34hPbOP8U1oiRbI22gcM6xvqK0lCt0cgwdDXardFL542MYej8iobao1y0IKNp' +
  'kWWX1EhlQbB275fCTdhbkyQxd+4pFb4tOGQgWC0tkpfHWqvIIQcSXf0dl3GKWnO4LYDIKqoGH2Tqde5idCbVWw8R' +
  'OSy9+4MWqGC0F91fB8Eqp7s7MSpFAsTIbfvcqEVccyhGQKrnEJ353W3kia9yugMUO0ABZAfI3waUO0D5XsBoBxi9' +
  'FzDeAcb/AdDOe5vMTEYpmHcb4pN5waq0uE2Zc1BWK4uP0QMJHAoQTAXB2m/hKtSyQg61x4C+QRBRGWQ0CkbTS7Ta' +
  'Ud2dQWXlSarpGVSN1M+n2pqdweXsCX/3ZxBZF496ot5t+jGkoLsxFG3waSyNGF2Woy/DcZFNyu5itNnPuTga2ZvD' +
  '+vd3iZYMpKmvyUDH6wePIaAdrOL1CY/T1FEjinw4PhSddaLztpz3tQM3Ze+mPHIz6QGt27vyIw54/jk/1WqSa8RF' +
  'ecg967i7RrPD2v2HdLeHop3V7pTp/iXan5niFVBLBwhCXqA39gEAAHcFAABQSwMEFAAACAgALbp1XWMoOiSEAQAA' +
  'lQMAAA0AAAB4bC9zdHlsZXMueG1snZNNb+MgEIbv+ysQ9wQ7u1tVEaaHSpZ66aWt1EMuJB7bSMNgAans/fUrjJs6' +
  'vWy7F+aDeR8+BuTdaJG9gQ/GUcXLbcEZ0Mk1hrqKvzzXm1vOQtTUaHQEFZ8g8Dv1Q4Y4ITz1AJGNFilUvI9x2AsR' +
  'Tj1YHbZuABotts5bHcPW+U6EwYNuQhJZFLuiuBFWG+JK0tnWNgZ2cmeKFS8vKZbNQ1Px8uYXZxl375q0lWmaDhtr' +
  'D5umObC+31u7D2FbFAUXSoqFqWTr6AO94zmhZPjD3jRWvCxTOWkLOb7XaI7ezIxcmcej+I5mNmlxg3i9uEFUctAx' +
  'gqfaILLFf54GqDg5goyZ6/5R3Xk9lbvfK8FsgpJH5xvwVzeaU0oitFEo6U3XJxvdINJkjM4KJRujO0caE/JdsThB' +
  'yRMgPqXWv7ZX7LFddapIfaKLaxAXN2NykPhrWmavsD//C8vG9sK/Ui/P58t6pocBp8ezPYKv51eXTvqZutpT+VVm' +
  '7eidJZYzKyk+PpT6C1BLAwQUAAAICAAtunVdGMwqCL4AAAAcAQAADwAAAHhsL3dvcmtib29rLnhtbI2PsWrDQBBE' +
  '+3zFsb11UooQhE5uTMC9k36jW1mHb3fF7TlR/j5gx32qgQfzhhn2G2f3RcWSSoCuacGRTBqTnAO8n952r+CsokTM' +
  'KhTghwz249PwreXyqXpxG2exAEuta++9TQsxWqMrycZ51sJYrdFy9rYWwmgLUeXsn9v2xTMmgbuhL/9x6DyniQ46' +
  'XZmk3iWFMtakYktaDcbhtmB/6QSZAnxgvpKBu7FjDNCBK32KAcoxduDHwT9q/vFs/AVQSwMEFAAACAgALbp1XeBC' +
  'lorJAAAAqAEAABoAAAB4bC9fcmVscy93b3JrYm9vay54bWwucmVsc62Qu2rEMBBF+3yFmD6WvUUIYeVtlsC2wfkA' +
  'IY9tsdKM0EwS++8DCXksbJEi1XBvce5h9oc1J/OKVSKTg65pwSAFHiPNDp6Hx9t7MKKeRp+Y0MGGAof+Zv+EyWtk' +
  'kiUWMWtOJA4W1fJgrYQFs5eGC9Ka08Q1e5WG62yLD2c/o9217Z2tvxnQXzDNaXRQT2MHZtgK/oXN0xQDHjm8ZCS9' +
  'MmHfuJ5lQVQwg68zqoPvSuzH6Zo1J7DXZXb/KSO6JZQfk8/8NW8vHty/A1BLAwQUAAAICAAtunVdBlnHgrMAAAAo' +
  'AQAACwAAAF9yZWxzLy5yZWxzjc+xbsIwEMbxnaewbicODFWF4rAgJNYqfQDjXBIr9p3lM615+64FMbB/+n36d8ca' +
  'g/rBLJ7JwK5pQSE5Hj3NBr6H8/YTlBRLow1MaOCOAsd+031hsMUzyeKTqBoDiYGllHTQWtyC0UrDCanGMHGOtkjD' +
  'edbJutXOqPdt+6HzfwP6B1NdRgP5Mu5ADfeE79g8Td7hid0tIpUXF08LUIPNMxYDNehfzuuVeW1qDKD7Tj8E9n9Q' +
  'SwMEFAAACAgALbp1XabRlgAOAQAAqAIAABMAAABbQ29udGVudF9UeXBlc10ueG1srZIxTwMxDIV3fkWUtWrSMiCE' +
  'eu1QYASG8gNCzncXNbGj2C3Xf4/uWhhQKUunN9jvfc+SF6s+RbWHwoGw0nMz0wrQUx2wrfT75nl6rxWLw9pFQqj0' +
  'AVivljeLzSEDqz5F5Ep3IvnBWvYdJMeGMmCfYkMlOWFDpbXZ+a1rwd7OZnfWEwqgTGXI0MvFIzRuF0U99QJ4LFIg' +
  'slbr4+LAqrTLOQbvJBDaPda/KNMTwRSI4w53IfOkT1Hbs4Rh8jfg5HvdQymhBvXmiry4BJW2fbSfVLYfRFtzOeRM' +
  'S2qa4KEmv0uAYjgXcDV3AJKiGdUkF3Bymc9yiMDXpo+h/5CHy0cD21HmVy7xk//dw46PtvwCUEsBAj8DFAAICAgA' +
  'Lbp1XUJeoDf2AQAAdwUAABgACQAAAAAAAAAAALSBAAAAAHhsL3dvcmtzaGVldHMvc2hlZXQxLnhtbFVUBQADhiYC' +
  'a1BLAQI/AxQAAAgIAC26dV1jKDokhAEAAJUDAAANAAkAAAAAAAAAAAC0gTwCAAB4bC9zdHlsZXMueG1sVVQFAAOG' +
  'JgJrUEsBAj8DFAAACAgALbp1XRjMKgi+AAAAHAEAAA8ACQAAAAAAAAAAALSB6wMAAHhsL3dvcmtib29rLnhtbFVU' +
  'BQADhiYCa1BLAQI/AxQAAAgIAC26dV3gQpaKyQAAAKgBAAAaAAkAAAAAAAAAAAC0gdYEAAB4bC9fcmVscy93b3Jr' +
  'Ym9vay54bWwucmVsc1VUBQADhiYCa1BLAQI/AxQAAAgIAC26dV0GWceCswAAACgBAAALAAkAAAAAAAAAAAC0gdcF' +
  'AABfcmVscy8ucmVsc1VUBQADhiYCa1BLAQI/AxQAAAgIAC26dV2m0ZYADgEAAKgCAAATAAkAAAAAAAAAAAC0gbMG' +
  'AABbQ29udGVudF9UeXBlc10ueG1sVVQFAAOGJgJrUEsFBgAAAAAGAAYAtgEAAPIHAAAAAA=='

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
const table = (rows: string, more?: Record<string, string>) => sheetTable(zipOf(bookOf(rows, more)))
const faultOf = async (bytes: BlobPart) =>
  readTableFile(new Blob([bytes])).then(
    () => undefined,
    ({ code, cell, value }: { code: string; cell: string; value: string }) =>
      [code, cell, value].join(' ').trim(),
  )
const faultIn = async (rows: string) => faultOf(zipOf(bookOf(rows)))

test('a cell of text that looks like a number says so, and a number does not [R-10]', async () => {
  const text = (place: string, value: string) =>
    `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  const row = [text('A1', '4.1'), text('B1', '-5'), text('C1', 'true'), text('D1', 'v4.1')]
  expect(table(`<row r="1">${row.join('')}<c r="E1"><v>4.1</v></c></row>`)).toEqual([
    ["'4.1", "''-5", "'true", 'v4.1', '4.1'],
  ])
})

test('a workbook of the own export is read as it was written [R-10]', async () => {
  expect(sheetTable(bytesOf(ownExport))).toEqual([
    ['time', 'name', 'value', 'on', 'note'],
    ['2026-11-21T12:30:00', 'Öfen & <Pressen>', '21.5', 'true'],
    ['2026-11-22', '=1+1', '-3', 'false', 'x'],
  ])
})

test('the first sheet that can be seen is read as a spreadsheet program writes it [R-10]', async () => {
  const rows = `
    <row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
    <row r="3"><c r="A3" t="s"><v>2</v></c><c r="C3" s="2"><v>42</v></c><c r="D3" s="1"/></row>
    <row r="4"><c r="A4" t="s"><v>3</v></c><c r="B4" s="1"><v>46347</v></c><c r="C4" s="3"><v>46347.604166666664</v></c></row>
    <row r="5"><c r="A5" t="s"><v>4</v></c><c r="B5" s="5"><v>0.5</v></c><c r="C5" s="4"><v>1.5</v></c></row>
    <row r="6"><c r="A6" t="s"><v>5</v></c><c r="B6" t="b"><v>1</v></c><c r="C6" t="str"><f>A1&amp;"x"</f><v>Namex</v></c></row>
    <row r="7"><c r="A7" t="inlineStr"><is><t>here</t></is></c><c r="B7"><f>1+2</f><v>3</v></c><c r="AA7"><v>1E3</v></c></row>
    <row r="8"><c r="A8"><v>12345678901</v></c><c r="B8" s="1"><v>59</v></c></row>`
  const read = table(rows)
  expect(read.slice(0, 6)).toEqual([
    ['Name', 'Serial number'],
    [],
    ['Oven No. 7', '', '00042'],
    ['two\nlines & "more"', '2026-11-21', '2026-11-21T14:30:00'],
    ['東京', '12:00:00', '1.5'],
    ['a\rb', 'true', 'Namex'],
  ])
  expect(read[6]?.slice(0, 3)).toEqual(['here', '3', ''])
  expect(read[6]?.[26]).toBe('1000')
  expect(read[7]).toEqual(['12345678901', '1900-02-28'])
})

test('prefixed names and days since 1904 are read too', async () => {
  const sheet = `<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c s="1"><x:v>0.25</x:v></x:c><x:c s="1"><x:v>44885</x:v></x:c></x:row></x:sheetData></x:worksheet>`
  const workbook = `<x:workbook xmlns:x="m" xmlns:r="n"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="A" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>`
  const more = { 'xl/worksheets/sheet1.xml': sheet, 'xl/workbook.xml': workbook }
  expect(table('', more)).toEqual([['06:00:00', '2026-11-21']])
})

test('what cannot be read is said with its cell', async () => {
  expect(await faultIn('<row r="2"><c r="C2" t="e"><v>#REF!</v></c></row>')).toBe(
    'errorCell C2 #REF!',
  )
  expect(await faultIn('<row r="2"><c r="B2"><f>A1</f></c></row>')).toBe('noResult B2')
  expect(await faultIn('<row r="1"><c r="A1" t="s"><v>99</v></c></row>')).toBe('brokenCell A1 99')
  expect(await faultIn('<row r="999999"><c r="A999999"><v>1</v></c></row>')).toBe(
    'tooLarge A999999',
  )
  expect(await faultIn('<row><c></row>')).toBe('broken')
})

test('what is no workbook says what it is instead', async () => {
  const whole = zipOf(bookOf(''))
  expect(await faultOf(whole.slice(0, 200))).toBe('broken')
  expect(await faultOf(zipOf({ 'a.txt': 'a' }))).toBe('noWorkbook')
  const { 'xl/worksheets/sheet1.xml': _gone, ...rest } = bookOf('')
  expect(await faultOf(zipOf(rest))).toBe('noSheet')
  expect(await faultOf(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1))).toBe('locked')
})

test('a part that would unpack to too much is left alone', async () => {
  const blank = ' '.repeat(65_000_000)
  expect(await faultOf(zipOf(bookOf(blank)))).toBe('tooLarge')
})

test('an archive with very many entries is refused', async () => {
  const archive = zipOf({ a: '' })
  const directory = archive.indexOf(0x50, 1)
  const end = archive.length - 22
  const listed = (count: number) => {
    const entry = [...archive.subarray(directory, end)]
    const entries = Array.from({ length: count }, () => entry).flat()
    const bytes = Uint8Array.from([
      ...archive.subarray(0, directory),
      ...entries,
      ...archive.subarray(end),
    ])
    new DataView(bytes.buffer).setUint16(bytes.length - 14, count, true)
    return bytes
  }
  expect(await faultOf(listed(10_001))).toBe('tooLarge')
  expect(await faultOf(listed(1))).toBe('noWorkbook')
})

test('an entry of the directory without its own header is a broken file', async () => {
  const bytes = zipOf({ a: 'text', b: 'text' })
  bytes[bytes.indexOf(0x50, 1)] = 0 // the first letter of the second header
  expect(await faultOf(bytes)).toBe('broken')
})

test('packed bytes that were changed on the way are a broken file', async () => {
  const bytes = zipOf({ '_rels/.rels': '<Relationships>'.repeat(20) })
  bytes[41] = 0xff // a kind of block that does not exist
  expect(await faultOf(bytes)).toBe('broken')
})

test('a document type is refused, so that entities cannot multiply', async () => {
  const laughs = `<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`
  expect(await faultOf(zipOf(bookOf('', { 'xl/worksheets/sheet1.xml': laughs })))).toBe('broken')
  expect(await faultIn('<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>')).toBe('broken')
})

test('rows and columns that are far apart are refused before they fill the memory', async () => {
  expect(await faultIn('<row r="1"><c r="ALM1"><v>1</v></c></row>')).toBe('tooLarge ALM1')
  const wide = Array.from(
    { length: 8_001 },
    (_, at) => `<row r="${at + 1}"><c r="ALL${at + 1}"><v>1</v></c></row>`,
  )
  expect(table(wide.slice(0, 2).join(''))[1]).toHaveLength(1_000)
  expect(await faultIn(wide.join(''))).toBe('tooLarge ALL8001')
})

test('a workbook becomes CSV whose lines count as its rows do', async () => {
  const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3" t="inlineStr"><is><t>a;b</t></is></c></row>`
  const read = await readTableFile(new Blob([zipOf(bookOf(rows))]))
  expect(read).toEqual({
    workbook: true,
    csv: 'Name\r\n\r\n"two\nlines & ""more""","a;b"\r\n',
  })
  expect(await readTableFile(new Blob(['name;a']))).toEqual({ workbook: false, csv: 'name;a' })
})
