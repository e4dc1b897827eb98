/** The folder of the built program, beside which its data lies. There is none where sources run as they are. */
export const programFolder = typeof __dirname === 'string' ? __dirname : undefined;
