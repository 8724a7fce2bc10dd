import { expect, test } from 'vitest'
import { classesDefinedTwice } from './css-classes.ts'

test('a class defined twice in one style sheet is found, whatever stands between', () => {
  const css = `.steps {\n  display: grid;\n}\n.other { color: red }\n.steps { display: flex }\n`
  expect(classesDefinedTwice(css)).toEqual([{ name: '.steps', lines: [1, 5] }])
  expect(classesDefinedTwice(`@media (max-width: 600px) { .a { b: c } .a { d: e } }`)).toHaveLength(
    1,
  )
})

test('a class under another width, in a state or inside another element is no second definition', () => {
  const css = `
.steps { display: grid }
/* .steps { display: none } */
.steps > li { margin: 0 }
.steps:hover { color: red }
.steps[data-done] .steps { color: red }
@media (max-width: 600px) { .steps { display: block } }
@media print { .steps { display: block } }
`
  expect(classesDefinedTwice(css)).toEqual([])
})
