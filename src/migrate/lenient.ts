/** The lines of a configuration that make rules warnings which texts of before do not keep; none for no rule. */
export const lenientText = (rules: ReadonlySet<string>): readonly string[] =>
  rules.size === 0
    ? []
    : [
        'validation:',
        '  rules:',
        '    # Texts that were there before do not keep these yet. Remove a line when they do.',
        ...[...rules].sort().map(rule => `    ${rule}: warning`),
      ];
