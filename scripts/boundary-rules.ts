import type { Import } from './modules.ts'

/** A rule about single imports: `from` may not import `to`, unless one of the exceptions matches. */
type Rule = {
  name: string
  from: RegExp
  fromNot?: RegExp
  to: RegExp
  /** Imports that are allowed; `$1` stands for the first group of `from`. */
  toNot?: readonly string[]
  /** Types may be imported all the same. */
  typesPass?: true
}

const tests = /\.(test|e2e)\.tsx?$|\/[\w-]*testing\.ts$/

export const rules: readonly Rule[] = [
  {
    name: 'service-meets-service-through-its-contract',
    from: /^services\/([^/]+)\/src\//,
    fromNot: tests,
    to: /^services\//,
    toNot: ['^services/$1/', 'contract\\.ts$'],
  },
  {
    name: 'portal-sees-contracts-only',
    from: /^apps\/portal\//,
    fromNot: /\.(test|e2e)\.tsx?$/,
    to: /^services\//,
    toNot: ['contract\\.ts$'],
  },
  {
    name: 'a-section-does-not-import-another',
    from: /^apps\/portal\/src\/sections\/([^/]+)\//,
    to: /^apps\/portal\/src\/sections\//,
    toNot: ['^apps/portal/src/sections/$1/', '/section\\.ts$'],
  },
  {
    name: 'a-part-of-the-portal-imports-no-section-and-no-app',
    from: /^apps\/portal\/src\/parts\//,
    fromNot: tests,
    to: /^apps\/portal\/src\//,
    toNot: ['^apps/portal/src/parts/'],
  },
  {
    name: 'the-app-knows-a-section-by-its-section-file',
    from: /^apps\/portal\/src\/(?!sections\/)/,
    fromNot: tests,
    to: /^apps\/portal\/src\/sections\//,
    toNot: ['/section\\.ts$'],
  },
  {
    name: 'packages-import-no-product-code',
    from: /^packages\//,
    to: /^(services|apps)\//,
  },
  {
    name: 'the-agent-runs-without-the-platform',
    from: /^apps\/edge\//,
    fromNot: /\.(test|e2e)\.tsx?$/,
    to: /^(services|packages)\//,
    toNot: ['^packages/(device-protocol|rules)/'],
  },
  {
    name: 'a-contract-imports-only-contracts',
    from: /contract\.ts$/,
    to: /^(services|packages|apps)\//,
    toNot: [
      'contract\\.ts$',
      '^packages/(authorization|board|calendar|device-protocol|formula|rules)/',
    ],
  },
  {
    name: 'rules-are-pure',
    from: /-rules\.ts$/,
    to: /^(services|packages|apps)\/|^node:/,
    toNot: [
      '-rules\\.ts$',
      'contract\\.ts$',
      '^packages/(authorization|board|calendar|device-protocol|formula|rules)/',
    ],
    typesPass: true,
  },
]

/** Does an import break a rule? */
export function breaks(rule: Rule, file: string, { to, isType }: Import) {
  const match = rule.from.exec(file)
  if (!match || rule.fromNot?.test(file) === true) return false
  if (!rule.to.test(to) || (isType && rule.typesPass === true)) return false
  return !rule.toNot?.some((allowed) =>
    new RegExp(allowed.replaceAll('$1', match[1] ?? '')).test(to),
  )
}
