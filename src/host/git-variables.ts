/** Variables that make Git look for a repository elsewhere than in the parent folders. */
export const repositoryVariables = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE'];
