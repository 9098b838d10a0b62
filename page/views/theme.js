// Light or dark: as the system has it, until somebody asks for the other.

const system = () => matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : system().matches;
};

/** Changes to the other, and says which that is. @returns {"light" | "dark"} */
export function toggleTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  return theme;
}

/** @param {() => void} changed */
export const onSystemTheme = (changed) => system().addEventListener("change", changed);
